package dev.escapement.bench.process;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A child process that keeps all cores busy that this process may use. It ends when its standard input ends, which also happens if the
 * parent dies.
 */
public final class BusyCores implements AutoCloseable {

    private static final int READY = '!';

    final Process child;

    private BusyCores(Process child) {
        this.child = child;
    }

    /** Starts the child, and returns once it computes. The child ends by itself after {@code seconds}. */
    public static BusyCores start(int seconds) {
        List<String> command = ChildProcess.withoutCtrlC(ChildProcess.java(
                List.of("-Xmx16m", "-XX:+UseSerialGC"), BusyCores.class, List.of(Integer.toString(seconds))));
        try {
            BusyCores cores = new BusyCores(ChildProcess.atNormalPriority(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
            if (cores.child.getInputStream().read() != READY) {
                cores.close();
                throw new EOFException("it printed nothing: " + command);
            }
            return cores;
        } catch (IOException e) {
            throw new UncheckedIOException("a busy child process did not start: " + e.getMessage(), e);
        }
    }

    /**
     * The main method of the child: computes on every core, and prints a character once it does. The argument is the number of seconds
     * until it ends by itself.
     */
    public static void main(String[] arguments) {
        long endNanos = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        ChildProcess.watchParent(() -> Runtime.getRuntime().halt(0));
        for (int core = 1; core < Runtime.getRuntime().availableProcessors(); core++) {
            new Thread(() -> computeUntil(endNanos), "busy-" + core).start();
        }
        System.out.write(READY);
        System.out.flush();
        computeUntil(endNanos);
    }

    private static void computeUntil(long endNanos) {
        while (System.nanoTime() - endNanos < 0) {
            // Reading the clock keeps the core busy. A spin hint would let a hypervisor give the core to others.
        }
    }

    /** Throws if the child has ended. The measurement was then not under load. */
    public void requireRunning() {
        if (!child.isAlive()) {
            throw new IllegalStateException("the busy child process has ended");
        }
    }

    @Override
    public void close() {
        child.destroyForcibly().onExit().join();
    }
}
