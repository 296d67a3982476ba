package dev.escapement.render.lwjgl;

/**
 * The extent of a scene: a square floor around the origin at y = 0, and boxes above it. The camera frames the floor and a pile on it.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param floorHalfExtent half the edge of the floor, in metres, above 0
 * @param boxHalfExtent   half the edge of a box, in metres
 * @param pileHeight      how far up the pile reaches at most, in metres
 * @see SceneDrawing
 */
public record SceneView(float floorHalfExtent, float boxHalfExtent, float pileHeight) {}
