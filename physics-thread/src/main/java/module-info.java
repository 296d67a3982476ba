/**
 * The physics thread: samples input, steps a simulation, captures its poses, and publishes them.
 *
 * <p>Start reading at {@link dev.escapement.physics.PhysicsService}.
 */
module dev.escapement.physics {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.state;
    requires com.lmax.disruptor;
    requires org.jctools.core.jdk11;
    requires jdk.jfr;
    requires transitive HdrHistogram;

    exports dev.escapement.physics;
    exports dev.escapement.physics.command;
    exports dev.escapement.physics.contact;
    exports dev.escapement.physics.gameloop;
    exports dev.escapement.physics.platform;
    exports dev.escapement.physics.replay;
    exports dev.escapement.physics.world;
}
