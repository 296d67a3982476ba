package dev.escapement.bench.compare.virtual;

/** Something that stops the renderer once: a window that is dragged, a shader that is compiled. */
final class Freeze {

    private final long fromNanos;
    private long lengthNanos;

    private Freeze(long fromNanos, long lengthNanos) {
        this.fromNanos = fromNanos;
        this.lengthNanos = lengthNanos;
    }

    static Freeze none() {
        return new Freeze(0, 0);
    }

    /** In the first frame that begins at or after an instant. */
    static Freeze of(long fromNanos, long lengthNanos) {
        return new Freeze(fromNanos, lengthNanos);
    }

    /** How much longer a frame takes. */
    long takeNanos(long beginNanos) {
        if (beginNanos < fromNanos) {
            return 0;
        }
        long taken = lengthNanos;
        lengthNanos = 0;
        return taken;
    }
}
