package dev.escapement.physics;

import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import java.util.function.Consumer;

/** A hook that runs an action after each publish. */
public record OnPublish(Consumer<TickTimes> action) implements TickHook {

    @Override
    public void published(TickTimes times) {
        action.accept(times);
    }
}
