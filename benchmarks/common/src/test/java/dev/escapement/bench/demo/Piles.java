package dev.escapement.bench.demo;

import org.jspecify.annotations.NullMarked;

/** The piles of all engines, for tests that each of them passes. */
@NullMarked
enum Piles {
    JOLT,
    BULLET,
    ODE4J,
    DYN4J;

    /** A new pile in its starting state. */
    EnginePile<?> create(BoxPile pile) {
        return switch (this) {
            case JOLT -> new JoltPile(pile);
            case BULLET -> new BulletPile(pile);
            case ODE4J -> new Ode4jPile(pile);
            case DYN4J -> new Dyn4jPile(pile);
        };
    }

    /** A pile in the same state, stepped by another number of threads where the engine has threads. */
    EnginePile<?> createAnother(BoxPile pile) {
        return this == JOLT ? new JoltPile(pile, 2) : create(pile);
    }
}
