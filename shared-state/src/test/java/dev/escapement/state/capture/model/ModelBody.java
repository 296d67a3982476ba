package dev.escapement.state.capture.model;

/** A body as the tick left it that changed it last. */
final class ModelBody {

    final long tick;
    final long userData;
    final long spawnTick;
    long id;
    int teleports;
    boolean quarantined;

    /** In the world, not from the origin. */
    final double[] position;

    /** What rounding may have moved it by: nothing until the origin shifts. */
    double tolerance;

    float[] rotation = {0, 0, 0, 1};
    final float[] channels;

    // Of this tick alone.
    boolean written;
    double turn;

    ModelBody(long tick, int channels, long id, long userData) {
        this.tick = tick;
        this.id = id;
        this.userData = userData;
        spawnTick = tick;
        position = new double[3];
        this.channels = new float[channels];
    }

    private ModelBody(long tick, ModelBody before) {
        this.tick = tick;
        id = before.id;
        userData = before.userData;
        spawnTick = before.spawnTick;
        teleports = before.teleports;
        quarantined = before.quarantined;
        position = before.position.clone();
        tolerance = before.tolerance;
        rotation = before.rotation;
        channels = before.channels.clone();
    }

    /** The same body in a later tick, before anything happened to it. */
    ModelBody at(long later) {
        return new ModelBody(later, this);
    }
}
