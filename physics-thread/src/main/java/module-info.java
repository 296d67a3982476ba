/**
 * The physics thread: samples input, steps a simulation, captures its poses, and publishes them.
 *
 * <p>Start reading at {@link dev.escapement.physics.PhysicsService}.
 */
@SuppressWarnings("module") // the modules below are compiled later
module dev.escapement.physics {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.state;
    requires static java.management;
    requires static jdk.jfr;

    exports dev.escapement.physics;
    exports dev.escapement.physics.command;
    exports dev.escapement.physics.restore;
    exports dev.escapement.physics.simulation;
    exports dev.escapement.physics.spi;

    // Packages that only our own modules share.
    exports dev.escapement.physics.loop to
            dev.escapement.physics.replay; // which re-simulates with a TickRunner of its own
    exports dev.escapement.physics.schedule to
            dev.escapement.cluster.aeron;
    exports dev.escapement.physics.slice to
            dev.escapement.physics.host;
    exports dev.escapement.physics.request to
            dev.escapement.cluster.aeron,
            dev.escapement.physics.host;
    exports dev.escapement.physics.usercode to
            dev.escapement.physics.host,
            dev.escapement.physics.replay,
            dev.escapement.cluster.aeron;
}
