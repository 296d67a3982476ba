package dev.escapement.bench.compare;

/** A loop that steps and draws in one thread. */
interface GameLoop {

    /** A frame: steps what it finds due, draws, and returns when both are done. */
    void frame();

    /** What the last frame has drawn. */
    Picture picture();
}
