package dev.escapement.bench.wire;

/**
 * What clients needed of whom each sees the nearest bodies, under the names of the JSON file's keys: the sender's processor time as a share of
 * a core, what each of them was sent, and how long ago what it knew of a body was so, besides the way of the packets.
 */
record Interests(
        int clients,
        int bodies,
        int mostBodies,
        int sendsPerSecond,
        int lossPercent,
        double corePercent,
        double kilobytesPerSecond,
        double ageP999Millis,
        double oldestMillis) {}
