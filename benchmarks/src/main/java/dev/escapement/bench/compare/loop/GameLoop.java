package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.picture.Picture;

/** A loop that steps and draws in one thread. */
public interface GameLoop {

    /** A frame: steps what it finds due, draws, and returns when both are done. */
    void frame();

    /** What the last frame has drawn. */
    Picture picture();
}
