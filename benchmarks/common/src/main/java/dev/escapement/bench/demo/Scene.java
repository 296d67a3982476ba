package dev.escapement.bench.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an engine builds on its floor at y = 0.
 *
 * @param gravity  upwards, metres per second squared
 * @param friction of the bodies and the floor
 * @param bodies   what forces move, numbered in this order
 * @param machine  the machine in which they tumble, whose pendulum is the last body; null if there is none. It moves in one world only
 */
public record Scene(
        double gravity,
        double friction,
        List<Solid> bodies,
        @Nullable Machine machine) {}
