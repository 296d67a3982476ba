package dev.escapement.bench.wire;

/**
 * What a scene, the name, needed on the wire, and in which mode, under the names of the JSON file's keys. Bits are payload of the packets,
 * times medians from a snapshot to packets and back.
 */
record Row(
        String name,
        String mode,
        int bodies,
        int hz,
        int lossPercent,
        double bitsPerBodySnapshot,
        double bitsPerMovingBody,
        double encodeNanosPerBody,
        double decodeNanosPerBody,
        double maxPositionErrorMetres,
        double maxRotationErrorRadians) {

    /** Receivers acknowledge what has arrived. */
    static final String ACKNOWLEDGED = "acknowledged";

    /** Receivers do not answer. */
    static final String BROADCAST = "broadcast";

    /** The first tick that counts: by then the whole world has been sent, and coders have learned. */
    static final int FIRST_TICK = 100;
}
