/**
 * Logs of runs, and going back: recording, replay, flight recorder, history.
 *
 * <p>Start reading at {@link dev.escapement.physics.replay.Recording} and {@link dev.escapement.physics.replay.StateHistory}.
 */
module dev.escapement.physics.replay {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.physics;
    requires com.lmax.disruptor;
    requires org.jctools.core.jdk11;

    exports dev.escapement.physics.replay;
}
