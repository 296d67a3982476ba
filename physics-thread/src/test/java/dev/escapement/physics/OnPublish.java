package dev.escapement.physics;

import dev.escapement.physics.spi.TickHook;
import java.util.function.Consumer;

/** A hook that runs an action after each publish. */
public record OnPublish(Consumer<TickHook.Times> action) implements TickHook {

    @Override
    public void published(TickHook.Times times) {
        action.accept(times);
    }
}
