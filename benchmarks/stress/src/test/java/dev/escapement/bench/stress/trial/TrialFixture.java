package dev.escapement.bench.stress.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** The program of a child JVM that reports, or fails to. */
public final class TrialFixture {

    private TrialFixture() {}

    /** Does what its first argument says. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[3]);
        switch (arguments[0]) {
            case "die" -> throw new IllegalStateException("out of luck");
            case "hang" -> {
                while (true) {
                    LockSupport.park();
                }
            }
            case "say-nothing" -> {}
            case "write-rubbish" -> Files.writeString(file, "{ \"verdict\": ");
            case "leave-out" -> Files.writeString(file, "{ \"verdict\": \"held\" }");
            default -> JvmDemand.report(file, TrialRun.of(scenario(arguments[0]), Long.parseLong(arguments[1]), null));
        }
    }

    /** Reports what is looked for. */
    static Scenario scenario(String name) {
        return new Scenario(name, "nothing happens", Set.of(Promise.WHOLE, Promise.FRESH), trial -> {
            switch (name) {
                case "skip" -> throw new SkippedException("not here");
                case "throw" -> throw new IllegalStateException("bodies overlap");
                default -> report(trial);
            }
        });
    }

    private static void report(Trial trial) {
        trial.check(Promise.WHOLE).held(41);
        trial.check(Promise.WHOLE).that(false, () -> "half of it");
        trial.check(Promise.FRESH).held(7);
        trial.figure(Figure.graded("weight", 3, "kg", 1, 2, "eat less"));
        trial.distribution("tick lateness").record(1_000_000);
        trial.distribution("tick lateness").record(1_000_000);
        TrialRunTest.giveUpFour(trial, 40_000_000, 1);
    }
}
