package dev.escapement.transport.aeron;

import io.aeron.ChannelUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import org.agrona.SystemUtil;
import org.jspecify.annotations.Nullable;

/**
 * An Aeron channel with the settings that suit this traffic: a hundred bursts a second, each of some packets. Settings in the user's text
 * take precedence.
 *
 * @param text     the channel that the user specified
 * @param streamId the number of the stream in it
 * @param isIpc    whether the channel is between processes of one machine
 */
record StreamChannel(String text, int streamId, boolean isIpc) {

    static final int TERM_BYTES = 2 << 20;

    /** The default number of a stream, "ESC1" in ASCII. So receivers do not read streams of other programs in the same channel. */
    private static final int STREAM_ID = 0x45534331;

    private static final int SOCKET_BYTES = 2 << 20;
    private static final int WINDOW_BYTES = 512 << 10;

    /** The time after which a too slow reader over IPC loses the stream, and the time after that until the reader may begin again. */
    private static final String SLOW = "100ms";

    private static final String STREAM_ID_KEY = "stream-id";

    /** Parses a channel. Throws an {@link IllegalArgumentException} if the text is invalid. */
    static StreamChannel of(String text) {
        try {
            ChannelUri uri = ChannelUri.parse(text);
            if (!uri.isUdp() && !uri.isIpc()) {
                throw new IllegalArgumentException("'" + uri.media() + "' is neither udp nor ipc");
            }
            if (uri.isUdp() && !uri.containsKey("endpoint") && !uri.containsKey("control")) {
                throw new IllegalArgumentException("it has neither an endpoint nor a control address");
            }
            if ("false".equals(uri.get("reliable"))) {
                throw new IllegalArgumentException("what is lost is always sent again; leave reliable=false out");
            }
            int streamId = Integer.decode(uri.get(STREAM_ID_KEY, Integer.toString(STREAM_ID)));
            StreamChannel channel = new StreamChannel(text, streamId, uri.isIpc());
            channel.logBytes(); // throws if the length of a term is invalid
            return channel;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no Aeron channel: " + AeronDriver.firstLine(e)
                            + "; examples are aeron:udp?endpoint=localhost:20121, aeron:ipc, and for many receivers"
                            + " aeron:udp?control=localhost:20121|control-mode=dynamic",
                    e);
        }
    }

    /**
     * Returns the bytes of the stream's shared memory: three terms and a page. A receiver's buffers are as large as its sender's, which
     * probably has the same settings.
     */
    long logBytes() {
        String term = ChannelUri.parse(text).get("term-length", Integer.toString(TERM_BYTES));
        return 3 * SystemUtil.parseSize("term-length", term) + 4096;
    }

    String ofSender() {
        ChannelUri uri = ChannelUri.parse(text);
        uri.remove(STREAM_ID_KEY);
        uri.remove("reliable"); // a setting that only receivers have
        putIfAbsent(uri, "term-length", TERM_BYTES);
        putIfAbsent(uri, "linger", 0);
        putIfAbsent(uri, "mtu", AeronDriver.MTU_BYTES); // so that drivers of other programs use this MTU, too
        if (isIpc) {
            putIfAbsent(uri, "untethered-window-limit-timeout", SLOW);
            putIfAbsent(uri, "untethered-resting-timeout", SLOW);
        } else {
            putIfAbsent(uri, "so-sndbuf", socketBytes());
            if (uri.containsKey("control")) {
                putIfAbsent(uri, "control-mode", "dynamic");
                putIfAbsent(uri, "fc", "max"); // a receiver that stands still does not delay the others
            }
        }
        return uri.toString();
    }

    String ofReceiver() {
        ChannelUri uri = ChannelUri.parse(text);
        uri.remove(STREAM_ID_KEY);
        if (isIpc) {
            putIfAbsent(uri, "tether", "false"); // a receiver that stands still does not delay the others
        } else {
            int socketBytes = socketBytes();
            putIfAbsent(uri, "so-rcvbuf", socketBytes);
            putIfAbsent(uri, "rcv-wnd", Math.min(WINDOW_BYTES, socketBytes));
            String control = uri.get("control");
            if (control != null) {
                putIfAbsent(uri, "control-mode", "dynamic");
                putIfAbsent(uri, "endpoint", isLoopback(control) ? "localhost:0" : "0.0.0.0:0");
                // The tag makes the streams of a channel share one socket. A sender sends each stream to every receiver
                // that it knows, so several sockets would each get all streams.
                putIfAbsent(uri, "tags", Integer.toUnsignedString(uri.toString().hashCode()));
            }
            if (!isMulticast(uri.get("endpoint"))) {
                putIfAbsent(uri, "group", "false"); // in a group, Aeron would delay requests for lost packets
            }
        }
        return uri.toString();
    }

    private static void putIfAbsent(ChannelUri uri, String key, Object value) {
        if (!uri.containsKey(key)) {
            uri.put(key, value.toString());
        }
    }

    private static boolean isLoopback(String address) {
        InetAddress host = host(address);
        return host != null && host.isLoopbackAddress();
    }

    private static boolean isMulticast(String address) {
        InetAddress host = host(address);
        return host != null && host.isMulticastAddress();
    }

    private static @Nullable InetAddress host(String address) {
        try {
            return InetAddress.getByName(address.substring(0, Math.max(0, address.lastIndexOf(':'))));
        } catch (UnknownHostException e) {
            return null; // Aeron reports the unknown host later
        }
    }

    /** Returns the size of socket buffers that the system allows, up to {@link #SOCKET_BYTES}. */
    private static int socketBytes() {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES)
                    .setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            int in = probe.getOption(StandardSocketOptions.SO_RCVBUF);
            return Math.min(SOCKET_BYTES, Math.min(in, probe.getOption(StandardSocketOptions.SO_SNDBUF)));
        } catch (IOException e) {
            throw new UncheckedIOException("this machine has no UDP", e);
        }
    }
}
