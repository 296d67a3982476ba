package dev.escapement.render.web;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.escapement.state.snapshot.BodyId;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;

/** What a page asks for. */
sealed interface ClientMessage {

    /** Its type, as pages write it. */
    default String name() {
        String type = getClass().getSimpleName();
        return Character.toLowerCase(type.charAt(0)) + type.substring(1);
    }

    /** It has got a picture. */
    record Ack(long sequence) implements ClientMessage {}

    /** It wants pictures of the past. */
    record Past(long from, int count) implements ClientMessage {}

    /** It wants to know where a body was. */
    record Path(long body) implements ClientMessage {}

    /** Time: stand still. */
    record Pause() implements ClientMessage {}

    /** Time: go on. */
    record Resume() implements ClientMessage {}

    /** Time: one tick. */
    record Step() implements ClientMessage {}

    /** Time: another speed. */
    record Scale(double value) implements ClientMessage {}

    /** A body is taken. */
    record Drag(long body) implements ClientMessage {}

    /** The body that was taken is wanted there, metres from the origin. */
    record DragTo(float x, float y, float z) implements ClientMessage {}

    /** The body that was taken is let go. */
    record DragEnd() implements ClientMessage {}

    /** Start anew after a failure. */
    record Restart() implements ClientMessage {}

    /** Something that is not possible. */
    record Impossible(String what, String why) implements ClientMessage {}

    /** Something after which the connection is closed. */
    record Malformed(int closeCode, String why) implements ClientMessage {}

    /** The fastest that time runs for a page. */
    double MOST_SCALE = 4;

    /** How far from the origin a body can be dragged, metres. */
    double MOST_METRES = 1e6;

    /** How many pictures of the past one message can ask for. */
    int MOST_PAST = 32;

    /** The largest whole number that is exact in JSON. */
    double MOST_EXACT = 1L << 53;

    /**
     * Parses a message.
     *
     * @param json the text that came
     * @return what it says; {@link Impossible} for a known type with a value that cannot be
     * @throws IllegalArgumentException if it is no JSON object of plain values with a known type
     */
    static ClientMessage parse(String json) {
        Fields fields = Fields.of(json);
        String type = fields.texts.getOrDefault("type", "");
        try {
            return switch (type) {
                case "ack" -> new Ack(fields.whole("sequence", 0, 0xFFFF_FFFFL));
                case "history" ->
                    new Past(fields.whole("from", 0, MOST_EXACT), (int) fields.whole("count", 1, MOST_PAST));
                case "path" -> new Path(fields.body());
                case "pause" -> new Pause();
                case "resume" -> new Resume();
                case "step" -> new Step();
                case "scale" -> new Scale(fields.scale());
                case "drag" -> new Drag(fields.body());
                case "dragTo" -> new DragTo(fields.metres("x"), fields.metres("y"), fields.metres("z"));
                case "dragEnd" -> new DragEnd();
                case "restart" -> new Restart();
                default -> throw new IllegalArgumentException("there is no message of type '" + type + "'");
            };
        } catch (ImpossibleValue e) {
            return new Impossible(type, e.why);
        }
    }

    /** A value that cannot be. Without a trace: only its reason is used. */
    final class ImpossibleValue extends Exception {

        private static final long serialVersionUID = 1;

        private final String why;

        private ImpossibleValue(String why) {
            super(why, null, false, false);
            this.why = why;
        }
    }

    /** The values of a flat object. */
    final class Fields {

        private final Map<String, String> texts = new HashMap<>();
        private final Map<String, String> numbers = new HashMap<>();

        private static Fields of(String json) {
            Fields fields = new Fields();
            try (JsonReader in = new JsonReader(new StringReader(json))) {
                in.setStrictness(Strictness.STRICT);
                in.beginObject();
                while (in.hasNext()) {
                    fields.read(in, in.nextName());
                }
                in.endObject();
                if (in.peek() != JsonToken.END_DOCUMENT) {
                    throw new IllegalArgumentException("something follows the object");
                }
                return fields;
            } catch (IOException | IllegalStateException e) {
                throw new IllegalArgumentException("this is no JSON object: " + e.getMessage(), e);
            }
        }

        private void read(JsonReader in, String name) throws IOException {
            switch (in.peek()) {
                case STRING -> texts.put(name, in.nextString());
                case NUMBER -> numbers.put(name, in.nextString());
                case NULL, BOOLEAN -> in.skipValue(); // null is how JavaScript writes a number that is none
                default -> throw new IllegalArgumentException("'" + name + "' is not a plain value");
            }
        }

        private double number(String name, double least, double most) throws ImpossibleValue {
            String text = numbers.get(name);
            double value = text == null ? Double.NaN : Double.parseDouble(text);
            if (!(value >= least && value <= most)) {
                throw new ImpossibleValue("'" + name + "' must be a number from " + least + " to " + most + ", but is "
                        + (text == null ? "none" : text));
            }
            return value;
        }

        private long whole(String name, double least, double most) throws ImpossibleValue {
            double value = number(name, least, most);
            if (value != Math.rint(value)) {
                throw new ImpossibleValue("'" + name + "' must be a whole number, but is " + numbers.get(name));
            }
            return (long) value;
        }

        private long body() throws ImpossibleValue {
            int slot = (int) whole("slot", 0, Integer.MAX_VALUE);
            // Bits of an int: a page may read them as a number without a sign.
            int generation = (int) whole("generation", Integer.MIN_VALUE, 0xFFFF_FFFFL);
            if (!BodyId.isLive(generation)) {
                throw new ImpossibleValue("no body has the generation " + generation + ": those of bodies are odd");
            }
            return BodyId.of(slot, generation);
        }

        private double scale() throws ImpossibleValue {
            double value = number("value", 0, MOST_SCALE);
            if (value == 0) {
                throw new ImpossibleValue("'value' must be above 0; to stop time, pause");
            }
            return value;
        }

        private float metres(String name) throws ImpossibleValue {
            return (float) number(name, -MOST_METRES, MOST_METRES);
        }
    }
}
