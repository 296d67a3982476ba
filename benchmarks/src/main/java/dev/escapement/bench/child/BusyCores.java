package dev.escapement.bench.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** One busy child process for every core that this process may use. */
public final class BusyCores implements AutoCloseable {

    private final List<Process> children = new ArrayList<>();

    private BusyCores() {}

    /** Starts them and returns when all of them compute. They end by themselves after so many seconds. */
    public static BusyCores start(int seconds) {
        BusyCores cores = new BusyCores();
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                cores.children.add(ChildProcess.atNormalPriority(command(seconds))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            for (Process child : cores.children) {
                if (child.getInputStream().read() != BusyCore.READY) {
                    throw new IllegalStateException("a busy child process did not start: " + command(seconds));
                }
            }
        } catch (IOException e) {
            cores.close();
            throw new UncheckedIOException("a busy child process did not start: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            cores.close();
            throw e;
        }
        return cores;
    }

    private static List<String> command(int seconds) {
        return ChildProcess.java(
                List.of("-Xmx16m", "-XX:+UseSerialGC"), BusyCore.class, List.of(Integer.toString(seconds)));
    }

    List<Process> children() {
        return List.copyOf(children);
    }

    /**
     * Checks that all of them still compute.
     *
     * @throws IllegalStateException if one has ended: what was measured meanwhile was not measured under load
     */
    public void requireRunning() {
        long running = children.stream().filter(Process::isAlive).count();
        if (running < children.size()) {
            throw new IllegalStateException(
                    "only " + running + " of " + children.size() + " busy child processes still run");
        }
    }

    @Override
    public void close() {
        children.forEach(Process::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }
}
