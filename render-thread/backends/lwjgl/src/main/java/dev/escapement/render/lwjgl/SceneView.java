package dev.escapement.render.lwjgl;

/**
 * What there is to see: a square floor around the origin at y = 0, and above it boxes, of which the last few are markers,
 * drawn smaller and in a signal colour. The camera frames the floor and a pile on it.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param floorHalfExtent half the edge of the floor, in metres
 * @param boxHalfExtent   half the edge of a box, in metres
 * @param pileHeight      how far up the pile reaches at most, in metres
 * @param markers         how many of the last bodies are markers
 * @see SceneDrawing
 */
public record SceneView(float floorHalfExtent, float boxHalfExtent, float pileHeight, int markers) {

    /**
     * Checks the lengths.
     *
     * @param floorHalfExtent half the edge of the floor, in metres
     * @param boxHalfExtent   half the edge of a box, in metres
     * @param pileHeight      how far up the pile reaches at most, in metres
     * @param markers         how many of the last bodies are markers
     * @throws IllegalArgumentException if a length is not positive and finite, or the number is negative
     */
    public SceneView {
        requireLength("floorHalfExtent", floorHalfExtent);
        requireLength("boxHalfExtent", boxHalfExtent);
        requireLength("pileHeight", pileHeight);
        if (markers < 0) {
            throw new IllegalArgumentException("a scene cannot have " + markers + " markers; give 0 or more");
        }
    }

    private static void requireLength(String name, float metres) {
        if (!(metres > 0) || Float.isInfinite(metres)) {
            throw new IllegalArgumentException(name + " must be a positive number of metres, but is " + metres);
        }
    }
}
