package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.RethrowingErrorHandler;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.logbuffer.Header;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** A client's way to the leader over Aeron. One thread. */
final class AeronLink implements ClusterClient.Link {

    private final AeronCluster cluster;

    private AeronLink(AeronCluster cluster) {
        this.cluster = cluster;
    }

    /** Connects a client to its driver, on a machine with a name that the nodes know. */
    static AeronCluster.Context context(
            Aeron.Context client,
            String ingressEndpoints,
            String ownHost,
            EgressListener listener,
            ErrorHandler errors) {
        return new AeronCluster.Context()
                .aeron(Aeron.connect(
                        client.errorHandler(errors).subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)))
                .ownsAeronClient(true)
                .ingressChannel(AeronNode.INGRESS_CHANNEL)
                .ingressEndpoints(ingressEndpoints)
                .egressChannel("aeron:udp?endpoint=" + ownHost + ":0")
                .egressListener(listener)
                .messageTimeoutNs(AeronNode.CLIENT_NANOS)
                .newLeaderTimeoutNs(AeronNode.CLIENT_NANOS)
                .errorHandler(errors);
    }

    /** Connects again and again. */
    static ClusterClient.Connector connector(Function<EgressListener, AeronCluster.Context> contexts) {
        return new ClusterClient.Connector() {
            private AeronCluster.@Nullable AsyncConnect connecting;

            @Override
            public ClusterClient.@Nullable Link poll(ClusterClient client) {
                try {
                    if (connecting == null) {
                        connecting = AeronCluster.asyncConnect(contexts.apply(new Egress(client)));
                    }
                    AeronCluster connected = connecting.poll();
                    if (connected == null) {
                        return null;
                    }
                    connecting = null;
                    return new AeronLink(connected);
                } catch (Exception noLeaderYet) { // Agrona throws checked ones, too
                    close();
                    return null;
                }
            }

            @Override
            public void close() {
                CloseHelper.quietClose(connecting);
                connecting = null;
            }
        };
    }

    @Override
    public void poll() {
        cluster.pollEgress();
        cluster.pollStateChanges();
    }

    @Override
    public boolean offer(DirectBuffer batch) {
        long result = cluster.offer(batch, 0, batch.capacity());
        if (result == Publication.ADMIN_ACTION) { // a term is full
            result = cluster.offer(batch, 0, batch.capacity());
        }
        return result > 0;
    }

    @Override
    public boolean sendKeepAlive() {
        return cluster.sendKeepAlive();
    }

    @Override
    public boolean isClosed() {
        return cluster.isClosed();
    }

    @Override
    public void close() {
        CloseHelper.quietClose(cluster);
    }

    private record Egress(ClusterClient client) implements EgressListener {

        @Override
        public void onMessage(
                long session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
            client.acknowledged(buffer, offset, length);
        }

        @Override
        public void onNewLeader(long session, long term, int leader, String endpoints) {
            client.leaderChanged();
        }
    }
}
