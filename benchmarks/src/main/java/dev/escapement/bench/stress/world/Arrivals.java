package dev.escapement.bench.stress.world;

import java.util.Arrays;

/**
 * What has arrived of one producer, and what should have: its places one after the other. One thread at a time.
 * Allocates nothing.
 */
final class Arrivals {

    /** How many missing places are remembered, to tell a latecomer from a double; those before were lost. */
    private static final int REMEMBERED = 64;

    private final long[] missing = new long[REMEMBERED];
    private int oldestMissing;
    private long nextPlace;
    private long arrived;
    private long lost;
    private long doubled;
    private long reordered;
    private long hashSum;

    Arrivals() {
        Arrays.fill(missing, -1);
    }

    void add(long timeNanos, long number, long place) {
        arrived++;
        hashSum += EventTag.hash(timeNanos, number, place);
        if (place >= nextPlace) {
            passOver(place);
            nextPlace = place + 1;
        } else if (wasMissing(place)) {
            lost--;
            reordered++;
        } else {
            doubled++;
        }
    }

    private void passOver(long place) {
        lost += place - nextPlace;
        for (long passed = Math.max(nextPlace, place - REMEMBERED); passed < place; passed++) {
            missing[oldestMissing] = passed;
            oldestMissing = (oldestMissing + 1) % REMEMBERED;
        }
    }

    private boolean wasMissing(long place) {
        for (int i = 0; i < REMEMBERED; i++) {
            if (missing[i] == place) {
                missing[i] = -1;
                return true;
            }
        }
        return false;
    }

    long arrived() {
        return arrived;
    }

    /** Places that later ones went past, and that never arrived. */
    long lost() {
        return lost;
    }

    long doubled() {
        return doubled;
    }

    /** Places that arrived after later ones. */
    long reordered() {
        return reordered;
    }

    /** Over what arrived. */
    long hashSum() {
        return hashSum;
    }
}
