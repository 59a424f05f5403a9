package io.postbox.it.retention;

import jakarta.ejb.Stateless;

/** Makes a module of its jar, whose settings then count. */
@Stateless
public class Present {}
