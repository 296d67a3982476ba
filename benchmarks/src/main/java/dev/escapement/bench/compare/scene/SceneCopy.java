package dev.escapement.bench.compare.scene;

/**
 * What a renderer copies of the scene where nothing else is handed over.
 *
 * @param tick       the tick it is the state of
 * @param probeX     where the probe is
 * @param ballHeight how high the ball is, metres
 */
public record SceneCopy(long tick, float probeX, float ballHeight) {

    /** Before the first tick. */
    public static final SceneCopy START = new SceneCopy(0, TickedScene.METRONOME.x(0), (float) Ball.START_METRES);
}
