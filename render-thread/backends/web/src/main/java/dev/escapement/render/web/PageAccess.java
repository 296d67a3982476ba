package dev.escapement.render.web;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a live page answers. Their path begins with its token, a secret, and their host is its own address or a configured
 * host. Otherwise a foreign site could reach the page through a name of its own that resolves to this machine. Any thread.
 *
 * @param hosts  configured hosts, in lower case; a host without a port is allowed with every port
 * @param prefix what the page's path has before the token: empty, or begins with a slash and ends without
 * @param token  the segment of the path after the prefix
 * @param frames origins of the sites whose pages may have this one in a frame
 */
record PageAccess(Set<String> hosts, String prefix, String token, Set<String> frames) {

    static final Pattern HOST = Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");
    private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{22,128}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** {@return 128 random bits in hex digits} */
    static String newSecret() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static String checkHost(String host) {
        check(
                HOST.matcher(host).matches(),
                "a host is a name or an address as browsers show it, with a port or for any, such as physics.example.org or"
                        + " localhost:9000, but is '" + host
                        + "'; name each one, because a wildcard would let in sites of others");
        return host.toLowerCase(Locale.ROOT);
    }

    static String checkOrigin(String origin) {
        check(
                origin.matches("https?://.*")
                        && HOST.matcher(origin.replaceFirst("https?://", "")).matches(),
                "an origin is a scheme and a host, with a port if it has one, such as https://physics.example.org, but is '"
                        + origin + "'");
        return origin;
    }

    static String checkPrefix(String prefix) {
        check(
                PREFIX.matcher(prefix).matches(),
                "a prefix is a path such as /physics, of letters, digits, '-', '_', '~', and '.' that is not first in a"
                        + " name, but is '" + prefix + "'");
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    /** Checks a token. The message of the exception does not show it, because logs would keep it. */
    static String checkToken(String token) {
        check(
                TOKEN.matcher(token).matches(),
                "a token has 22 to 128 characters, all of A-Z, a-z, 0-9, '-' and '_', so that no one guesses it, but this"
                        + " one has " + token.length() + ", of which "
                        + token.replaceAll("[^A-Za-z0-9_-]", "").length()
                        + " are such; `openssl rand -hex 16` prints a good one");
        return token;
    }

    private static void check(boolean isRight, String problem) {
        if (!isRight) {
            throw new IllegalArgumentException(problem);
        }
    }

    /**
     * {@return the path after the token; null if the path has another token} The comparison takes equally long for all wrong tokens of the
     * same length.
     */
    @Nullable
    String afterToken(String path) {
        String own = path.startsWith(prefix + "/") ? path.substring(prefix.length()) : path; // else a proxy removed it
        int end = own.indexOf('/', 1);
        String first = own.substring(Math.min(1, own.length()), end < 0 ? own.length() : end);
        boolean isToken =
                MessageDigest.isEqual(first.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
        return isToken ? own.substring(1 + first.length()) : null;
    }

    /** Whether a request may name this host, on a connection to an address and port of this machine. */
    boolean allowsHost(String named, String address, int port) {
        if (isNamed(named) || !named.endsWith(":" + port)) {
            return isNamed(named);
        }
        String host = named.substring(0, named.length() - (":" + port).length());
        try { // parses addresses only; no name is resolved
            return host.equals(address)
                    || (host.startsWith("[") && InetAddress.getByName(host).equals(InetAddress.getByName(address)))
                    || (host.equals("localhost")
                            && InetAddress.getByName(address).isLoopbackAddress());
        } catch (IOException noAddress) {
            return false;
        }
    }

    /**
     * Whether a page of this origin may open a socket to an allowed host. The origin may also have a configured host, because a proxy may
     * have changed the host of the request.
     */
    boolean allowsOrigin(String origin, String host) {
        return origin.equals("http://" + host)
                || (origin.matches("https?://.*") && isNamed(origin.replaceFirst("https?://", "")));
    }

    /** {@return the value of {@code frame-ancestors} in a Content-Security-Policy} */
    String frameAncestors() {
        return frames.isEmpty() ? "'none'" : String.join(" ", frames);
    }

    private boolean isNamed(String authority) {
        Matcher host = HOST.matcher(authority.toLowerCase(Locale.ROOT));
        return host.matches() && (hosts.contains(host.group()) || hosts.contains(host.group(1)));
    }
}
