package dev.escapement.render.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the files and the socket of the page, if their path has the token and their host is an allowed one. Any thread.
 *
 * <p>Each connection serves one request, so that no idle connection stays open.
 */
final class PageHandler extends Handler.Abstract {

    /** 128 bits in hex digits. */
    static final int TOKEN_BYTES = 16;

    private static final String NONCE = "@NONCE@";
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\.(html|css|js|txt)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "txt", "text/plain;charset=utf-8");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'%s; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src 'self' ws://%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String METRICS = "text/plain;version=0.0.4;charset=utf-8";
    private static final int MAX_SCRAPE_SECONDS = 5;

    private static final int BAD_ORIGIN = 403;
    private static final int NOT_FOUND = 404;
    private static final int ONLY_GET = 405;
    private static final int NO_UPGRADE = 426;
    private static final int BUSY = 503;

    private final SecureRandom random = new SecureRandom();
    private final String token = hex();
    private final byte[] tokenBytes = token.getBytes(StandardCharsets.ISO_8859_1);
    private final Sender sender;
    private final ServerWebSocketContainer sockets;
    private final Consumer<EndPoint> showedToken;

    /** {@code showedToken} gets each connection whose request has the token. */
    PageHandler(Sender sender, ServerWebSocketContainer sockets, Consumer<EndPoint> showedToken) {
        this.sender = sender;
        this.sockets = sockets;
        this.showedToken = showedToken;
    }

    String token() {
        return token;
    }

    private String hex() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        String host = host(request);
        if (path == null || !isToken(path) || host == null) {
            return end(response, BAD_ORIGIN, callback);
        }
        showedToken.accept(request.getConnectionMetaData().getConnection().getEndPoint());
        if (!request.getMethod().equals("GET")) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            return end(response, ONLY_GET, callback);
        }
        String name = path.length() == 1 + token.length() ? "?" : path.substring(2 + token.length());
        return switch (name) {
            case "live" -> upgrade(request, response, callback, host);
            case "metrics" -> metrics(response, callback);
            default -> file(name.isEmpty() ? "index.html" : name, response, callback, host);
        };
    }

    /** Whether the first name of a path is the token. Takes equally long for every name of that length. */
    private boolean isToken(String path) {
        int end = path.indexOf('/', 1);
        String first = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end);
        return MessageDigest.isEqual(first.getBytes(StandardCharsets.UTF_8), tokenBytes);
    }

    /** The host that the request names, if it is this one: otherwise a foreign site could reach the page by resolving its name to it. */
    private static @Nullable String host(Request request) {
        List<String> named = request.getHeaders().getValuesList(HttpHeader.HOST);
        String address = Request.getLocalAddr(request);
        int port = Request.getLocalPort(request);
        if (named.size() != 1 || address == null) {
            return null;
        }
        return isOurs(named.get(0), address, port) ? named.get(0) : null;
    }

    static boolean isOurs(String named, String address, int port) {
        if (!named.endsWith(":" + port)) {
            return false;
        }
        String host = named.substring(0, named.length() - (":" + port).length());
        try { // addresses only: no name is resolved
            return host.equals(address)
                    || (host.startsWith("[") && InetAddress.getByName(host).equals(InetAddress.getByName(address)))
                    || (host.equals("localhost")
                            && InetAddress.getByName(address).isLoopbackAddress());
        } catch (IOException noAddress) {
            return false;
        }
    }

    /** As in a URL, where an IPv6 address has brackets. */
    static String authority(String address, int port) {
        return (address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address) + ":" + port;
    }

    private boolean upgrade(Request request, Response response, Callback callback, String host) {
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        if (origins.size() != 1 || !origins.get(0).equals("http://" + host)) {
            return end(response, BAD_ORIGIN, callback);
        }
        if (sender.isFull()) {
            return end(response, BUSY, callback);
        }
        boolean isUpgrade = sockets.upgrade(
                (upgradeRequest, upgradeResponse, upgraded) -> {
                    upgradeResponse.setExtensions(List.of()); // compression costs more than a loopback
                    return new LiveSocket(sender);
                },
                request,
                response,
                callback);
        return isUpgrade || end(response, NO_UPGRADE, callback);
    }

    private boolean metrics(Response response, Callback callback) {
        CompletableFuture<String> text = sender.metrics().orTimeout(MAX_SCRAPE_SECONDS, TimeUnit.SECONDS);
        var unused = text.handleAsync(
                (written, failure) -> {
                    if (written == null) {
                        return end(response, BUSY, callback);
                    }
                    secure(response.getHeaders());
                    return send(response, METRICS, written.getBytes(StandardCharsets.UTF_8), callback);
                },
                getServer().getThreadPool());
        return true;
    }

    private boolean file(String name, Response response, Callback callback, String host) throws IOException {
        byte[] content = FILE.matcher(name).matches() ? read(name) : null;
        if (content == null) {
            return end(response, NOT_FOUND, callback);
        }
        String suffix = name.substring(name.lastIndexOf('.') + 1);
        String scripts = "";
        if (suffix.equals("html")) {
            String nonce = hex();
            scripts = " 'nonce-" + nonce + "'";
            content = new String(content, StandardCharsets.UTF_8)
                    .replace(NONCE, nonce)
                    .getBytes(StandardCharsets.UTF_8);
        }
        secure(response.getHeaders());
        response.getHeaders().put("Content-Security-Policy", POLICY.formatted(scripts, host));
        return send(response, TYPES.getOrDefault(suffix, ""), content, callback);
    }

    private static byte @Nullable [] read(String name) throws IOException {
        try (InputStream in = PageHandler.class.getResourceAsStream("page/" + name)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static void secure(HttpFields.Mutable headers) {
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    }

    private static boolean send(Response response, String type, byte[] content, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(content), callback);
        return true;
    }

    /** Ends a request without content. */
    static boolean end(Response response, int status, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 0);
        callback.succeeded();
        return true;
    }
}
