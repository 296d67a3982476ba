package dev.escapement.bench.run;

import dev.escapement.bench.report.WholeFile;
import dev.escapement.state.wire.udp.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a world is served, and who may see it: options that {@code run --serve} and {@code watch} share. */
final class StreamOptions {

    private static final String KEY_VARIABLE = "ESCAPEMENT_KEY";

    private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "::1");

    /** The form of an address: {@code udp:}, a host, which stands in brackets if it contains colons, and a port. */
    private static final Pattern WRITTEN = Pattern.compile("udp:(?:\\[([0-9a-fA-F:.]+)]|([\\w.-]+)):(\\d{1,5})");

    /** The form of numeric addresses. Host names are refused, because a name look-up may take long, and may result in any address. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*");

    private final Map<String, String> environment;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The key of the stream; else ESCAPEMENT_KEY, or none.")
    private @Nullable Path keyFile;

    StreamOptions() {
        this(System.getenv());
    }

    StreamOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    record Address(InetSocketAddress socket, Access access) {

        boolean hasKey() {
            return access != Access.thisMachine();
        }
    }

    static boolean isChannel(String text) {
        return text.startsWith("aeron");
    }

    /**
     * Refuses an Aeron channel that cannot be used: one with a key, because Aeron would not encrypt, and one that connects only threads of
     * one process.
     *
     * @throws IllegalArgumentException if there is a key, or the channel does not leave its process
     */
    void checkChannel(String option, String text) {
        if (keyFile != null || environment.containsKey(KEY_VARIABLE)) {
            throw new IllegalArgumentException(
                    option + " " + text + " is not encrypted with a key; take udp:host:port, or no "
                            + (keyFile != null ? "--key-file" : "variable " + KEY_VARIABLE));
        }
        if (text.startsWith("aeron:ipc")) {
            throw new IllegalArgumentException(option + " " + text
                    + " does not leave its process; take aeron:udp?control=localhost:20121 on both sides");
        }
    }

    void checkUsed(boolean hasAddress, String address) {
        if (keyFile != null && !hasAddress) {
            throw new IllegalArgumentException("--key-file needs " + address);
        }
    }

    /**
     * Parses an address at which this process is to serve a world.
     *
     * @return the address; a port of 0 is replaced by a free one
     * @throws IllegalArgumentException as for {@link #address}, or if the address is not one of this machine's, or another program uses it
     */
    Address free(String option, String text) {
        Address address = address(option, text);
        try (DatagramSocket free = new DatagramSocket(address.socket())) {
            return new Address(
                    new InetSocketAddress(address.socket().getAddress(), free.getLocalPort()), address.access());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    option + " " + text + ": " + e.getMessage() + "; choose another port, or 0 for any that is free",
                    e);
        }
    }

    /**
     * Parses a UDP address.
     *
     * @throws IllegalArgumentException if the text is no address, if the address is on another machine and there is no key, or if the key
     *     is bad
     */
    Address address(String option, String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(option + ": an address is written udp:host:port, such as"
                    + " udp:127.0.0.1:20121 or udp:[::1]:20121, but not '" + text + "'");
        }
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
        int port = Integer.parseInt(parts.group(3));
        Access access = access();
        boolean hasKey = access != Access.thisMachine();
        boolean mayBeLookedUp =
                hasKey || LOCAL_HOSTS.contains(host) || NUMBERS.matcher(host).matches();
        InetSocketAddress socket =
                mayBeLookedUp ? new InetSocketAddress(host, port) : InetSocketAddress.createUnresolved(host, port);
        InetAddress machine = socket.getAddress();
        if (machine != null && (machine.isLoopbackAddress() || (hasKey && !machine.isMulticastAddress()))) {
            return new Address(socket, access);
        }
        String why = machine != null && machine.isMulticastAddress()
                ? ": Aeron serves any number of watchers, not UDP groups; take aeron:udp?control=localhost:" + port
                        + " on both sides"
                : hasKey
                        ? ": the host '" + host + "' is not known"
                        : " is not on this machine; without a key take " + String.join(", ", LOCAL_HOSTS)
                                + ", or give both sides the same with --key-file FILE or the variable "
                                + KEY_VARIABLE;
        throw new IllegalArgumentException(option + " " + text + why);
    }

    private Access access() {
        if (keyFile == null) {
            return environment.containsKey(KEY_VARIABLE)
                    ? Access.keyOf(environment, KEY_VARIABLE)
                    : Access.thisMachine();
        }
        try {
            return Access.keyFile(keyFile);
        } catch (UncheckedIOException e) {
            String why = WholeFile.why(Objects.requireNonNull(e.getCause()));
            throw new IllegalArgumentException("--key-file " + keyFile + " cannot be read: " + why, e);
        }
    }

    /**
     * Formats an address so that {@link #address} can parse it. If all addresses of this machine are served, the placeholder HOST stands
     * for them.
     */
    static String written(InetAddress machine, int port) {
        String host = machine.isAnyLocalAddress() ? "HOST" : machine.getHostAddress();
        return "udp:" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
