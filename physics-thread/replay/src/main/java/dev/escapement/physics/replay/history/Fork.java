package dev.escapement.physics.replay.history;

import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.store.Past;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.DragInput;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hook that starts a run from the past of another run. Used once, as the first hook. */
final class Fork implements TickHook {

    private final Past past;
    private @Nullable TickAccess run;

    Fork(Past past) {
        this.past = past;
    }

    /** Returns the past with which a run begins, if the run is a fork. */
    static Optional<Past> pastOf(TickAccess run) {
        return run.hooks().stream()
                .filter(Fork.class::isInstance)
                .map(hook -> ((Fork) hook).past)
                .findFirst();
    }

    @Override
    public void attach(TickAccess run) {
        if (run.follows() || run.hooks().stream().anyMatch(Recording.class::isInstance)) {
            throw new IllegalArgumentException(
                    "a log has every tick from 1 on, but this run is a fork that begins after tick " + past.to()
                            + "; record and replay nothing in it");
        }
        this.run = run;
    }

    @Override
    public void begun() throws Exception {
        TickAccess begun = run;
        if (begun != null) {
            past.restore(begun.simulation(), null);
            begun.input().beginWith(past.input());
            if (past.dragger() != DragInput.NOBODY) {
                begun.input()
                        .owedEvents()
                        .endAnyDrag(); // else the drag would not end: the pointer offers its input only to the other
                // run
            }
        }
    }
}
