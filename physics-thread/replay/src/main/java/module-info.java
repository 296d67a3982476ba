/**
 * Logs of runs, and going back: recording, replay, flight recorder, history.
 *
 * <p>Start reading at {@link dev.escapement.physics.replay.log.Recording} and
 * {@link dev.escapement.physics.replay.history.StateHistory}.
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
