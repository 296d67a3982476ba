/**
 * The state that the physics thread shares with other threads: time, snapshots, the handoff, input, events.
 *
 * <p>Start reading at {@link dev.escapement.state.exchange.SnapshotExchange}.
 */
@SuppressWarnings("module") // the exports below name modules that javac compiles after this one
module dev.escapement.state {
    requires static transitive org.jspecify;
    requires static java.management;
    requires com.lmax.disruptor;
    requires org.jctools.core.jdk11;

    exports dev.escapement.state.time;
    exports dev.escapement.state.snapshot;
    exports dev.escapement.state.capture;
    exports dev.escapement.state.exchange;
    exports dev.escapement.state.input;
    exports dev.escapement.state.event;
    exports dev.escapement.state.world;
    exports dev.escapement.state.thread;

    // Helpers for our own modules; not API.
    exports dev.escapement.state.internal to
            dev.escapement.physics.host,
            dev.escapement.physics,
            dev.escapement.physics.replay,
            dev.escapement.render,
            dev.escapement.render.web,
            dev.escapement.platform.linux,
            dev.escapement.transport.aeron,
            dev.escapement.transport.udp,
            dev.escapement.cluster.aeron;

    uses dev.escapement.state.thread.ThreadPolicy;
}
