package dev.escapement.bench.run;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputRing;
import java.util.function.BooleanSupplier;

/** Where a run takes place: who draws and how often, and what the main thread does meanwhile. */
interface Stage extends AutoCloseable {

    /** How many frames a second are made. */
    double framesPerSecond();

    /** Starts to draw. */
    RenderLoop startDrawing(FrameView view, FrameListener listener);

    /** Occupies the main thread until the run is over. */
    void waitWhile(BooleanSupplier running, InputRing input);

    /** Whether somebody sits at the keyboard, so that no scripted player is needed. */
    boolean hasPlayer();

    /** Main thread, when nothing draws any more. */
    @Override
    default void close() {}
}
