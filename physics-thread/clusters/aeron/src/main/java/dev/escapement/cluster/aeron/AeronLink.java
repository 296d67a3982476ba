package dev.escapement.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.RethrowingErrorHandler;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.Header;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** A client's connection to the leader of the cluster, over Aeron. Only one thread may use it. */
final class AeronLink implements ClusterSender.Link {

    private final Supplier<Aeron.Context> clients;
    private final String ingressEndpoints;
    private final String ownHost;
    private final ErrorHandler errors;
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster cluster;

    /**
     * Whether an error was reported since the last connection. If so, later errors are not reported, because each attempt may fail for the
     * same reason.
     */
    private boolean isReported;

    /**
     * Creates a link that is not connected yet. {@code clients} creates contexts for Aeron clients of one media driver; {@code ownHost} is
     * a name of this machine that the nodes can reach.
     */
    AeronLink(Supplier<Aeron.Context> clients, List<String> hosts, int firstPort, String ownHost, ErrorHandler errors) {
        this.clients = clients;
        ingressEndpoints = ClusterNode.ingressEndpoints(hosts, firstPort);
        this.ownHost = ownHost;
        this.errors = errors;
    }

    private AeronCluster.Context context(EgressListener listener) {
        return new AeronCluster.Context()
                .aeron(Aeron.connect(
                        clients.get().errorHandler(errors).subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)))
                .ownsAeronClient(true)
                .ingressChannel(AeronNode.INGRESS_CHANNEL)
                .ingressEndpoints(ingressEndpoints)
                .egressChannel("aeron:udp?endpoint=" + ownHost + ":0")
                .egressListener(listener)
                .messageTimeoutNs(AeronNode.CLIENT_NANOS)
                .newLeaderTimeoutNs(AeronNode.CLIENT_NANOS)
                .errorHandler(errors);
    }

    @Override
    public boolean connect(ClusterSender sender) {
        try {
            if (connecting == null) {
                connecting = AeronCluster.asyncConnect(context(new Egress(sender)));
            }
            cluster = connecting.poll();
            connecting = cluster == null ? connecting : null;
        } catch (Exception e) { // Agrona also throws undeclared checked exceptions
            close();
            report(e);
        }
        isReported &= !isOpen();
        return isOpen();
    }

    /**
     * Reports an error, for example an unknown host. A timeout is normal while there is no leader, so it is reported only if it has a
     * suppressed exception. That exception is then reported in its place.
     */
    private void report(Exception thrown) {
        Throwable[] added = thrown.getSuppressed();
        if (!isReported && (added.length > 0 || !(thrown instanceof TimeoutException))) {
            isReported = true;
            errors.onError(added.length > 0 ? added[0] : thrown);
        }
    }

    @Override
    public boolean isOpen() {
        return cluster != null && !cluster.isClosed();
    }

    private AeronCluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    @Override
    public void poll() {
        cluster().pollEgress();
        cluster().pollStateChanges();
    }

    @Override
    public boolean offer(DirectBuffer batch) {
        return cluster().offer(batch, 0, batch.capacity()) > 0;
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(connecting, cluster);
        connecting = null;
        cluster = null;
    }

    private record Egress(ClusterSender sender) implements EgressListener {

        @Override
        public void onMessage(
                long session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
            sender.acknowledged(buffer, offset);
        }

        @Override
        public void onNewLeader(long session, long term, int leader, String endpoints) {
            sender.sendAllAgain();
        }
    }
}
