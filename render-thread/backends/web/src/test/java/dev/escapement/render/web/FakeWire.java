package dev.escapement.render.web;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A connection whose sends complete on a test's command. */
final class FakeWire implements Wire {

    final List<String> texts = new ArrayList<>();
    final List<SeenWorld> pictures = new ArrayList<>();
    final SeenWorld seen = new SeenWorld();
    private final Queue<Runnable> underWay = new ArrayDeque<>();

    boolean reads = true;

    int pings;
    int demanded;
    int pictureCount;
    int closeCode;
    String closeReason = "";
    boolean cut;

    void read() {
        while (!underWay.isEmpty()) {
            underWay.remove().run();
        }
    }

    int unread() {
        return underWay.size();
    }

    private void send(Runnable sent) {
        underWay.add(sent);
        if (reads) {
            read();
        }
    }

    @Override
    public void text(String message, Runnable sent) {
        texts.add(message);
        send(sent);
    }

    @Override
    public void picture(ByteBuffer picture, Runnable sent) {
        if (picture.get(picture.position()) == 1) {
            pictureCount++;
            seen.see(picture);
        } else {
            SeenWorld past = new SeenWorld();
            past.see(picture);
            pictures.add(past);
        }
        send(sent);
    }

    /** Returns the messages of a type since the last call. */
    List<JsonObject> take(String type) {
        List<JsonObject> found = new ArrayList<>();
        texts.removeIf(text -> {
            JsonObject message = JsonParser.parseString(text).getAsJsonObject();
            return message.get("type").getAsString().equals(type) && found.add(message);
        });
        return found;
    }

    @Override
    public void ping() {
        pings++;
    }

    @Override
    public void demand() {
        demanded++;
    }

    @Override
    public void close(int code, String reason) {
        closeCode = code;
        closeReason = reason;
    }

    @Override
    public void cut() {
        cut = true;
    }
}
