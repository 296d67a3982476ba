/**
 * Recording, replay, flight recorder and history of runs.
 *
 * <p>The package {@link dev.escapement.physics.replay} says in which order to read.
 */
module dev.escapement.physics.replay {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.physics;
    requires com.lmax.disruptor;

    exports dev.escapement.physics.replay;
    exports dev.escapement.physics.replay.log;
    exports dev.escapement.physics.replay.flight;
    exports dev.escapement.physics.replay.history;
}
