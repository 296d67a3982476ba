package dev.escapement.render.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * Answers requests for the files and the socket of the page, if {@link PageAccess} allows them. Any thread.
 *
 * <p>Each connection serves one request, so that no idle connection stays open.
 */
final class PageHandler extends Handler.Abstract {

    private static final String NONCE = "@NONCE@";
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\.(html|css|js|txt)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "txt", "text/plain;charset=utf-8");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'%1$s; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src 'self' ws://%2$s wss://%2$s; base-uri 'none'; form-action 'none'; frame-ancestors %3$s";

    private static final int ELSEWHERE = 307;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int ONLY_GET = 405;
    private static final int NO_UPGRADE = 426;
    private static final int BUSY = 503;

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");

    private final PageAccess access;
    private final AtomicBoolean isRefusalLogged = new AtomicBoolean();
    private final Sender sender;
    private final ServerWebSocketContainer sockets;
    private final Consumer<EndPoint> showedToken;

    /** Creates the handler. {@code showedToken} receives each connection whose request has the token. */
    PageHandler(PageAccess access, Sender sender, ServerWebSocketContainer sockets, Consumer<EndPoint> showedToken) {
        this.access = access;
        this.sender = sender;
        this.sockets = sockets;
        this.showedToken = showedToken;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        String rest = path == null ? null : access.afterToken(path);
        String host = rest == null ? null : host(request);
        if (rest == null || host == null) {
            return end(response, FORBIDDEN, callback);
        }
        showedToken.accept(request.getConnectionMetaData().getConnection().getEndPoint());
        if (!request.getMethod().equals("GET")) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            return end(response, ONLY_GET, callback);
        }
        return switch (rest) {
            case "" -> addSlash(request, response, callback);
            case "/" -> file("index.html", response, callback, host);
            case "/live" -> upgrade(request, response, callback, host);
            default -> file(rest.substring(1), response, callback, host);
        };
    }

    /**
     * Redirects to the page with a slash at the end, because its URLs are relative to its last slash. The redirect is relative too, because
     * a proxy may serve the page under another path.
     */
    private boolean addSlash(Request request, Response response, Callback callback) {
        String query = request.getHttpURI().getQuery();
        secure(response.getHeaders());
        response.getHeaders().put(HttpHeader.LOCATION, access.token() + "/" + (query == null ? "" : "?" + query));
        return end(response, ELSEWHERE, callback);
    }

    /** Returns the host that a request with the token names, null if it is not allowed. */
    private @Nullable String host(Request request) {
        List<String> named = request.getHeaders().getValuesList(HttpHeader.HOST);
        String address = Request.getLocalAddr(request);
        if (named.size() != 1 || address == null) {
            return null;
        }
        String host = named.get(0);
        if (access.allowsHost(host, address, Request.getLocalPort(request))) {
            return host;
        }
        logRefusal(host);
        return null;
    }

    /** Logs the reason of a refusal, which the response must not tell a foreign site. Logs once, because a client could fill the log. */
    private void logRefusal(String host) {
        if (PageAccess.HOST.matcher(host).matches() && isRefusalLogged.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A live page refuses " + host
                            + ", though the request has its token. If that is your proxy, tunnel or"
                            + " mapped port, start the page with hosts(\"" + host + "\")");
        }
    }

    /** Formats an address and port as in a URL, where an IPv6 address has brackets. */
    static String authority(String address, int port) {
        return (address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address) + ":" + port;
    }

    private boolean upgrade(Request request, Response response, Callback callback, String host) {
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        if (origins.size() != 1 || !access.allowsOrigin(origins.get(0), host)) {
            origins.forEach(origin -> logRefusal(origin.replaceFirst("^https?://", "")));
            return end(response, FORBIDDEN, callback);
        }
        if (sender.isFull()) {
            return end(response, BUSY, callback);
        }
        boolean isUpgrade = sockets.upgrade(
                (upgradeRequest, upgradeResponse, upgraded) -> {
                    upgradeResponse.setExtensions(List.of()); // on one machine, compressing takes longer than sending
                    return new LiveSocket(sender);
                },
                request,
                response,
                callback);
        return isUpgrade || end(response, NO_UPGRADE, callback);
    }

    private boolean file(String name, Response response, Callback callback, String host) throws IOException {
        byte[] content = FILE.matcher(name).matches() ? read(name) : null;
        if (content == null) {
            return end(response, NOT_FOUND, callback);
        }
        String suffix = name.substring(name.lastIndexOf('.') + 1);
        String scripts = "";
        if (suffix.equals("html")) {
            String nonce = PageAccess.newSecret();
            scripts = " 'nonce-" + nonce + "'";
            content = new String(content, StandardCharsets.UTF_8)
                    .replace(NONCE, nonce)
                    .getBytes(StandardCharsets.UTF_8);
        }
        secure(response.getHeaders());
        response.getHeaders().put("Content-Security-Policy", POLICY.formatted(scripts, host, access.frameAncestors()));
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

    static boolean end(Response response, int status, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 0);
        callback.succeeded();
        return true;
    }
}
