package dev.escapement.render.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A reverse proxy before a page: changes the head of each request, and passes all other bytes, both ways, as they are. */
final class ReverseProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final int to;
    private final UnaryOperator<String> change;

    /** {@code change} gets each head, from its first line to the last header. */
    ReverseProxy(int to, UnaryOperator<String> change) throws IOException {
        this.to = to;
        this.change = change;
        start(() -> {
            while (true) {
                Socket client = listening.accept();
                start(() -> serve(client));
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to)) {
            String head = head(client.getInputStream());
            server.getOutputStream().write(change.apply(head).getBytes(StandardCharsets.ISO_8859_1));
            start(() -> {
                client.getInputStream().transferTo(server.getOutputStream());
                server.shutdownOutput();
            });
            server.getInputStream().transferTo(client.getOutputStream());
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int next;
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n") && (next = in.read()) >= 0) {
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Work that ends when its connection does. */
    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException ended) {
                // the other side has closed it
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
