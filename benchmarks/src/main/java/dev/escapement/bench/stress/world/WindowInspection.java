package dev.escapement.bench.stress.world;

import dev.escapement.state.exchange.Window;

/** A look at each window that a reader takes, besides the checks that every reader makes. Belongs to one reader, on its thread. */
@FunctionalInterface
public interface WindowInspection {

    /** Looks at a window that was just taken. */
    void inspect(Window window);
}
