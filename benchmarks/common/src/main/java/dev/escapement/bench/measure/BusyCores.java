package dev.escapement.bench.measure;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** One busy child process for every core that this process may use. A child ends when its input does, as it does when the parent dies. */
public final class BusyCores implements AutoCloseable {

    private static final int READY = '!';

    // Written by the thread that watches the parent, read by the one that computes; nothing else is ordered by it.
    private static volatile boolean parentLives = true;

    final List<Process> children = new ArrayList<>();

    private BusyCores() {}

    /** Starts them and returns when all of them compute. They end by themselves after so many seconds. */
    public static BusyCores start(int seconds) {
        List<String> command = ChildProcess.java(
                List.of("-Xmx16m", "-XX:+UseSerialGC"), BusyCores.class, List.of(Integer.toString(seconds)));
        BusyCores cores = new BusyCores();
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                cores.children.add(ChildProcess.atNormalPriority(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            for (Process child : cores.children) {
                if (child.getInputStream().read() != READY) {
                    throw new EOFException("it said nothing: " + command);
                }
            }
        } catch (IOException e) {
            cores.close();
            throw new UncheckedIOException("a busy child process did not start: " + e.getMessage(), e);
        }
        return cores;
    }

    /** The program of a child: says that it is ready, and computes. Given the number of seconds after which it ends in any case. */
    public static void main(String[] arguments) {
        long endNanos = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        ChildProcess.watchParent(() -> parentLives = false);
        System.out.write(READY);
        System.out.flush();
        while (parentLives && System.nanoTime() - endNanos < 0) {
            // Reading the clock is work enough. No spin hint: hypervisors take the core away from those who give it.
        }
    }

    /** Throws if one of them has ended: what was measured meanwhile was not measured under load. */
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
