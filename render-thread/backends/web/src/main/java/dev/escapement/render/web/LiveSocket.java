package dev.escapement.render.web;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * A page's WebSocket. Messages are read one by one, when there is room for them. Any thread.
 *
 * <p>Public only because Jetty calls it.
 *
 * @see LivePage
 */
public final class LiveSocket implements Session.Listener {

    private static final int UNSUPPORTED = 1003;
    private static final int TRY_LATER = 1013;

    private final Sender sender;

    // Volatile: the opening thread writes it once, before any other call; other threads of the connection read it.
    private volatile @Nullable Client client;

    LiveSocket(Sender sender) {
        this.sender = sender;
    }

    @Override
    public void onWebSocketOpen(Session session) {
        Client arriving = new Client(new SessionWire(session), sender.clock);
        client = arriving;
        if (sender.arrived(arriving)) {
            session.demand();
        } else if (sender.hasEnded()) {
            session.close(Client.GOING_AWAY, Client.PAGE_CLOSED, Callback.NOOP);
        } else {
            session.close(
                    TRY_LATER,
                    "a live page serves " + Sender.MAX_CLIENTS + " clients; close another one",
                    Callback.NOOP);
        }
    }

    @Override
    public void onWebSocketText(String message) {
        ClientMessage parsed;
        try {
            parsed = ClientMessage.parse(message);
        } catch (IllegalArgumentException malformed) {
            parsed = new ClientMessage.Malformed(Client.POLICY, "malformed message");
        }
        client().received(parsed);
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        callback.succeed();
        client().received(new ClientMessage.Malformed(UNSUPPORTED, "a live page takes text only"));
    }

    @Override
    public void onWebSocketPong(ByteBuffer payload) {
        client().heard();
        client().wire.demand();
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
        client().gone = true;
        callback.succeed();
    }

    private Client client() {
        return Objects.requireNonNull(client);
    }

    private record SessionWire(Session session) implements Wire {

        @Override
        public void text(String message, Runnable sent) {
            session.sendText(message, Callback.from(sent, failure -> {}));
        }

        @Override
        public void picture(ByteBuffer picture, Runnable sent) {
            session.sendBinary(picture, Callback.from(sent, failure -> {}));
        }

        @Override
        public void ping() {
            session.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
        }

        @Override
        public void demand() {
            session.demand();
        }

        @Override
        public void close(int code, String reason) {
            session.close(code, reason, Callback.NOOP);
        }

        @Override
        public void cut() {
            session.disconnect();
        }
    }
}
