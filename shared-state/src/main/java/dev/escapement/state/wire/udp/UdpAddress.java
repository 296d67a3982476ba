package dev.escapement.state.wire.udp;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server is.
 *
 * <pre>{@code
 * UdpAddress.parse("udp:127.0.0.1:20121");
 * UdpAddress.parse("udp:[::1]:20121");
 * UdpAddress.parse("udp:physics.example.org:20121");
 * }</pre>
 *
 * @param host a name or an address
 * @param port 1 to 65,535; for a server also 0, which is any that is free
 */
public record UdpAddress(String host, int port) {

    private static final Pattern WRITTEN = Pattern.compile("udp:(?:\\[([^\\s\\[\\]]+)]|([^\\s\\[\\]:]+)):(\\d{1,9})");
    private static final Pattern GROUP =
            Pattern.compile("(?:22[4-9]|23\\d)(?:\\.\\d{1,3}){3}|[fF][fF][0-9a-fA-F]{2}:[0-9a-fA-F:.]+");
    private static final int MOST_PORT = 0xFFFF;

    /**
     * Checks the port.
     *
     * @param host a name or an address
     * @param port 0 to 65,535
     * @throws IllegalArgumentException if it is outside of that
     */
    public UdpAddress {
        if (port < 0 || port > MOST_PORT) {
            throw new IllegalArgumentException("a port is 0 to " + MOST_PORT + ", but is " + port);
        }
    }

    /**
     * Reads an address.
     *
     * @param text {@code udp:host:port}; addresses of IP version 6 are in brackets
     * @return the address; the host is not looked up yet
     * @throws IllegalArgumentException if it is written otherwise
     */
    public static UdpAddress parse(String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("an address is written udp:host:port, such as udp:127.0.0.1:20121 or"
                    + " udp:[::1]:20121, but not '" + text + "'");
        }
        String bracketed = parts.group(1);
        return new UdpAddress(bracketed != null ? bracketed : parts.group(2), Integer.parseInt(parts.group(3)));
    }

    /**
     * Whether it is a multicast group: a world is sent to all who listen to it, and none of them answers.
     *
     * @return true for 224.0.0.0 to 239.255.255.255, and ff00::/8; false for names
     */
    public boolean isMulticast() {
        return GROUP.matcher(host).matches();
    }

    InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(
                    "the host '" + host + "' is not known: check its name, or give an address", e);
        }
    }

    @Override
    public String toString() {
        return "udp:" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
