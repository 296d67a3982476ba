package dev.escapement.bench.run;

import dev.escapement.render.RenderBackend;
import dev.escapement.state.input.InputRing;
import java.util.function.BooleanSupplier;

/** Where a run takes place: who draws, and what the main thread does meanwhile. */
interface Stage extends AutoCloseable {

    /** What draws on the render thread. */
    RenderBackend backend();

    /** Occupies the main thread until the run is over. */
    void waitWhile(BooleanSupplier running, InputRing input);

    /** Whether somebody sits at the keyboard, so that no scripted player is needed. */
    boolean hasPlayer();

    /** Main thread, when nothing draws any more. */
    @Override
    default void close() {}
}
