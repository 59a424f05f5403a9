package io.postbox.it.handling;

import io.postbox.it.tools.OnPostgres;

/** Database and broker commit the delivery together, in two phases. */
@OnPostgres
class HandlingOnPostgresIT extends HandlingTests {}
