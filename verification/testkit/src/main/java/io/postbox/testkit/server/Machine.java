package io.postbox.testkit.server;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * The virtual machine that a server runs in.
 *
 * @param mbeans the server's
 */
public record Machine(MBeans mbeans) {
  private static final String DIAGNOSIS = "com.sun.management:type=DiagnosticCommand";

  /** The threads that are in code whose class's name begins so, each with its stack. */
  public List<String> threadsIn(String classes) {
    return Arrays.stream(threads())
        .filter(thread -> frames(thread).anyMatch(frame -> frame.startsWith(classes)))
        .map(thread -> frames(thread).collect(Collectors.joining(" < ")))
        .toList();
  }

  /** The threads whose name begins so. */
  public List<String> threadsNamed(String beginning) {
    return Arrays.stream(threads())
        .map(thread -> (String) thread.get("threadName"))
        .filter(name -> name.startsWith(beginning))
        .toList();
  }

  /** How many copies of a class are loaded, after garbage was collected. */
  public long copiesOf(String type) {
    mbeans.ask(
        server -> server.invoke(new ObjectName(DIAGNOSIS), "gcRun", new Object[0], new String[0]));
    Object[] arguments = {new String[] {type}};
    String[] signature = {String[].class.getName()};
    String hierarchy =
        mbeans.ask(
            server ->
                (String)
                    server.invoke(
                        new ObjectName(DIAGNOSIS), "vmClassHierarchy", arguments, signature));
    return hierarchy.lines().filter(line -> line.contains(type + "/")).count();
  }

  private CompositeData[] threads() {
    return mbeans.ask(
        server ->
            (CompositeData[])
                server.invoke(
                    new ObjectName("java.lang:type=Threading"),
                    "dumpAllThreads",
                    new Object[] {false, false},
                    new String[] {"boolean", "boolean"}));
  }

  private static Stream<String> frames(CompositeData thread) {
    return Arrays.stream((CompositeData[]) thread.get("stackTrace"))
        .map(frame -> frame.get("className") + "." + frame.get("methodName"));
  }
}
