package dev.escapement.bench.stress.world;

import dev.escapement.bench.child.ChildProcess;
import dev.escapement.bench.stress.trial.SkippedException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Stops this whole process as a debugger or a laptop's lid does, every thread of it, by SIGSTOP. */
public final class Suspension {

    private static final long LOOK_NANOS = 1_000_000;

    /** Goes on when this process cannot, so it is another that lets it go on, even if nobody else lives any more. */
    private static final String SCRIPT = "kill -STOP \"$0\"; sleep \"$1\"; kill -CONT \"$0\"";

    private Suspension() {}

    /**
     * Stops and returns when the process goes on.
     *
     * @param seconds for how long
     * @throws SkippedException if this platform cannot, or did not
     */
    public static void ofThisProcess(double seconds) throws IOException, InterruptedException, SkippedException {
        for (String program : List.of("sh", "sleep")) {
            if (ChildProcess.onPath(program).isEmpty()) {
                throw new SkippedException("there is no '" + program + "' on the PATH, as Linux and macOS have");
            }
        }
        long pid = ProcessHandle.current().pid();
        long before = System.nanoTime(); // it may stop us while we still start it
        Process helper = new ProcessBuilder(
                        "sh", "-c", SCRIPT, Long.toString(pid), String.format(Locale.ROOT, "%.3f", seconds))
                .inheritIO()
                .start();
        long longestGapNanos = 0;
        boolean goesOn = true;
        while (goesOn) {
            LockSupport.parkNanos(LOOK_NANOS);
            goesOn = helper.isAlive();
            long now = System.nanoTime();
            longestGapNanos = Math.max(longestGapNanos, now - before);
            before = now;
        }
        if (helper.waitFor() != 0 || longestGapNanos < seconds * 1e9 / 2) {
            throw new SkippedException("SIGSTOP did not stop this process for " + seconds + " s: exit code "
                    + helper.exitValue() + ", longest gap " + longestGapNanos / 1e9 + " s");
        }
    }
}
