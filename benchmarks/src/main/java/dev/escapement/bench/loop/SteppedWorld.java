package dev.escapement.bench.loop;

/** What a loop steps by whatever time it likes. */
@FunctionalInterface
public interface SteppedWorld {

    /** Advances by so much. */
    void step(double seconds);
}
