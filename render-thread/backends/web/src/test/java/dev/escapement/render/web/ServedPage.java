package dev.escapement.render.web;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.world.BodyShape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A page with a real server, of a world that really ticks. */
final class ServedPage implements AutoCloseable {

    static final int MAX_SECONDS = 30;

    static final String KEY = String.join(
            "\r\n",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "");

    final PhysicsService physics;
    final LivePage page;
    final URI uri;

    ServedPage() {
        this(page -> page);
    }

    ServedPage(UnaryOperator<LivePageBuilder> settings) {
        TestWorld world = TestWorld.of(50);
        world.shapes = body -> new BodyShape(new BodyShape.Sphere(1), false);
        physics = PhysicsService.builder(world).start();
        page = settings.apply(LivePage.of(physics.newReader()).controls(physics).counts(physics.stats()::counts))
                .start();
        uri = URI.create(page.url());
    }

    String path() {
        return uri.getPath();
    }

    private Socket send(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort());
        socket.setSoTimeout(MAX_SECONDS * 1000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Sends a request, and returns everything that comes until the connection ends. */
    String exchange(String request) throws IOException {
        try (Socket socket = send(request)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Asks for a WebSocket, whose frames the caller reads and writes. */
    Socket upgrade() throws IOException {
        return send("GET " + path() + "live HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\nOrigin: http://"
                + uri.getAuthority() + "\r\n" + KEY + "\r\n");
    }

    String get(String path) throws IOException {
        return get(path, uri.getAuthority());
    }

    String get(String path, String host) throws IOException {
        return exchange("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    static String status(String response) {
        return response.isEmpty() ? "" : response.split(" ", 3)[1];
    }

    /** A client that keeps the texts, and acknowledges no picture. */
    static final class Page implements WebSocket.Listener {
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                texts.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }

        String await(String part) throws InterruptedException {
            String message;
            while ((message = texts.poll(MAX_SECONDS, TimeUnit.SECONDS)) != null) {
                if (message.contains(part)) {
                    return message;
                }
            }
            throw new AssertionError("no message has '" + part + "'");
        }
    }

    WebSocket open(WebSocket.Listener listener) throws Exception {
        return open(uri, listener);
    }

    static WebSocket open(URI uri, WebSocket.Listener listener) throws Exception {
        URI live = URI.create(uri.resolve("live").toString().replace("http:", "ws:"));
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Origin", "http://" + uri.getAuthority())
                .buildAsync(live, listener)
                .get(MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        page.close();
        physics.close();
    }
}
