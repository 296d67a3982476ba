package dev.escapement.render.web;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * The web server of a live page. Clients without the token can exhaust nothing: threads, connections, the size of requests and messages,
 * and the time for each are bounded.
 */
final class PageServer {

    static final int MAX_CONNECTIONS = 64;
    static final int MAX_HEADER_BYTES = 8192;
    static final int MAX_MESSAGE_BYTES = 1024;

    /** The maximum time of a connection that is no WebSocket, for one request and its answer. */
    static final long MAX_REQUEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_THREADS = 10;
    private static final int MIN_THREADS = 3;
    private static final int MAX_FRAMES_WAITING = 4096;
    private static final long STOP_MILLIS = 2000;

    final Server server;
    final WholeConnector connector;
    final PageAccess access;

    PageServer(InetAddress address, int port, PageAccess access, Sender sender, long maxRequestNanos) {
        this.access = access;
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        threads.setName("escapement-live-http");
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        threads.setStopTimeout(STOP_MILLIS);
        server = new Server(threads, new ScheduledExecutorScheduler("escapement-live-timer", true), null);
        Visitors visitors = new Visitors();
        connector = new WholeConnector(server, new LimitedHttp(configuration(), maxRequestNanos, visitors));
        connector.setHost(address.getHostAddress());
        connector.setPort(port);
        connector.setIdleTimeout(TimeUnit.NANOSECONDS.toMillis(maxRequestNanos));
        connector.setShutdownIdleTimeout(STOP_MILLIS);
        server.addConnector(connector);
        server.setErrorHandler(
                (request, response, callback) -> PageHandler.end(response, response.getStatus(), callback));
        ServerWebSocketContainer sockets = ServerWebSocketContainer.ensure(server);
        sockets.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
        sockets.setMaxBinaryMessageSize(MAX_MESSAGE_BYTES);
        sockets.setMaxOutgoingFrames(MAX_FRAMES_WAITING);
        sockets.setIdleTimeout(Duration.ofNanos(3 * Client.MAX_SILENT_NANOS)); // the sender closes silent pages earlier
        server.setHandler(new PageHandler(access, sender, sockets, visitors::showedToken));
    }

    static HttpConfiguration configuration() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        return configuration;
    }

    /**
     * The open connections. If a new connection exceeds their maximum, the oldest connection that has not shown the token is closed,
     * because it had the most time to show it. If all older connections have shown the token, the new one is closed. Any thread.
     */
    private static final class Visitors {

        private final Set<EndPoint> strangers = new LinkedHashSet<>();
        private final Set<EndPoint> known = new HashSet<>();

        private void arrived(EndPoint endPoint) {
            EndPoint oldest = null;
            synchronized (this) {
                strangers.removeIf(one -> !one.isOpen());
                known.removeIf(one -> !one.isOpen());
                strangers.add(endPoint);
                if (strangers.size() + known.size() > MAX_CONNECTIONS) {
                    oldest = strangers.iterator().next();
                    strangers.remove(oldest);
                }
            }
            if (oldest != null) {
                oldest.close();
            }
        }

        private synchronized void showedToken(EndPoint endPoint) {
            if (strangers.remove(endPoint)) { // else the connection is already being closed
                known.add(endPoint);
            }
        }
    }

    /** A connector that closes connections that arrive while it stops; Jetty would leave them open for ever. */
    static final class WholeConnector extends ServerConnector {

        // The lock of this set guards the set and isStopped.
        private final Set<SelectableChannel> channels = new HashSet<>();
        private boolean isStopped;

        private WholeConnector(Server server, HttpConnectionFactory http) {
            super(server, 1, 1, http);
        }

        @Override
        protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
            return new ServerConnectorManager(executor, scheduler, selectors) {
                @Override
                public void accept(SelectableChannel channel, @Nullable Object attachment) {
                    if (isTaken(channel)) {
                        super.accept(channel, attachment);
                    } else {
                        closeNow(channel);
                    }
                }
            };
        }

        /** Adds a channel that has arrived. Returns false if all channels were closed before. */
        private boolean isTaken(SelectableChannel channel) {
            synchronized (channels) {
                channels.removeIf(one -> !one.isOpen());
                return !isStopped && channels.add(channel);
            }
        }

        /** Closes all channels, and from now on each that arrives. Call it after the server's stop. */
        private void closeAll() {
            synchronized (channels) {
                isStopped = true;
                channels.forEach(WholeConnector::closeNow);
                channels.clear();
            }
        }

        private static void closeNow(SelectableChannel channel) {
            try {
                channel.close();
            } catch (IOException alreadyBroken) {
                // the channel is closed all the same
            }
        }
    }

    /**
     * Closes a connection whose request takes too long, even if its bytes trickle in, and the oldest one without the token if there are too
     * many.
     */
    private static final class LimitedHttp extends HttpConnectionFactory {

        private final long maxNanos;
        private final Visitors visitors;

        private LimitedHttp(HttpConfiguration configuration, long maxNanos, Visitors visitors) {
            super(configuration);
            this.maxNanos = maxNanos;
            this.visitors = visitors;
        }

        @Override
        public Connection newConnection(Connector connector, EndPoint endPoint) {
            visitors.arrived(endPoint);
            Connection connection = super.newConnection(connector, endPoint);
            Scheduler.Task end = connector
                    .getScheduler()
                    .schedule(
                            () -> {
                                if (endPoint.getConnection() == connection) { // no WebSocket replaced it
                                    endPoint.close();
                                }
                            },
                            maxNanos,
                            TimeUnit.NANOSECONDS);
            connection.addEventListener(new Connection.Listener() {
                @Override
                public void onClosed(Connection closed) {
                    end.cancel();
                }
            });
            return connection;
        }
    }

    void start() throws IOException {
        try {
            server.start();
        } catch (Exception e) {
            stop();
            if (e instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IOException(e);
        }
    }

    String url() {
        String host = connector.getHost();
        boolean any = host.equals("0.0.0.0") || host.equals("0:0:0:0:0:0:0:0");
        String reachable = any ? InetAddress.getLoopbackAddress().getHostAddress() : host;
        return "http://" + PageHandler.authority(reachable, connector.getLocalPort()) + access.prefix() + "/"
                + access.token() + "/";
    }

    void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            System.getLogger("dev.escapement.render")
                    .log(System.Logger.Level.WARNING, "The web server of a live page did not stop properly", e);
        } finally {
            connector.closeAll();
        }
    }
}
