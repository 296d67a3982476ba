package dev.escapement.bench.run;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A UDP address of this machine, as the command line writes it: {@code udp:127.0.0.1:20121}. */
final class LocalAddress {

    private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "::1");

    /** A host, in brackets if it has colons; a port. */
    private static final Pattern WRITTEN = Pattern.compile("udp:(?:\\[([0-9a-fA-F:.]+)]|([\\w.-]+)):(\\d{1,5})");

    /** No name: what is looked up may take long, and be anywhere. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*");

    private LocalAddress() {}

    /**
     * Reads an address at which a world is to be served.
     *
     * @return with the port that is free
     * @throws IllegalArgumentException if it is none of this machine, or another program has it
     */
    static InetSocketAddress free(String option, String text) {
        InetSocketAddress address = read(option, text);
        try (DatagramSocket free = new DatagramSocket(address)) {
            return new InetSocketAddress(address.getAddress(), free.getLocalPort());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    option + " " + text + ": " + e.getMessage() + "; choose another port, or 0 for any that is free",
                    e);
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is none of this machine; other machines need a key, which no command line should show
     */
    static InetSocketAddress read(String option, String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(option + ": an address is written udp:host:port, such as"
                    + " udp:127.0.0.1:20121 or udp:[::1]:20121, but not '" + text + "'");
        }
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
        if (LOCAL_HOSTS.contains(host) || NUMBERS.matcher(host).matches()) {
            InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(parts.group(3)));
            InetAddress machine = address.getAddress();
            if (machine != null && machine.isMulticastAddress()) {
                throw new IllegalArgumentException(
                        option + " " + text + ": Aeron serves any number of watchers, not UDP groups;"
                                + " take aeron:udp?control=localhost:" + address.getPort() + " on both sides");
            }
            if (machine != null && machine.isLoopbackAddress()) {
                return address;
            }
        }
        throw new IllegalArgumentException(option + " " + text
                + " is not on this machine; commands serve and watch at " + String.join(", ", LOCAL_HOSTS)
                + " only. Programs with a key reach farther: see UdpLoop");
    }

    /** As {@link #read} reads it. */
    static String written(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return "udp:" + (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }
}
