package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Witness;

/** Repeats a run that may never have been, with a simulation that looks at all of a tick's input. */
public final class FuzzedReplay {

    private FuzzedReplay() {}

    /**
     * Repeats a run to its end.
     *
     * @param log what was accepted as a log
     * @throws Exception if that is not possible
     */
    public static void run(InputLog log) throws Exception {
        try (RepeatedRun run = new RepeatedRun(log, new Witness())) {
            while (run.at() < log.ticks()) {
                run.step();
            }
            run.divergence().ifPresent(first -> assertThat(first.tick()).isBetween(1L, log.ticks()));
        }
    }
}
