package dev.escapement.render.web;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A text message to a page. The names of the record and of its fields are those in docs/protocol.md. */
sealed interface PageMessage {

    Gson GSON = new GsonBuilder().serializeNulls().create();
    int MAX_CHARACTERS = 2000;

    /** The message as JSON; characters that are special in HTML are escaped. */
    default String json() {
        return "{\"type\":\"" + typeOf(this) + "\"," + GSON.toJson(this).substring(1);
    }

    /** The type of a message, as pages read and write it. */
    static String typeOf(Object message) {
        String type = message.getClass().getSimpleName();
        return Character.toLowerCase(type.charAt(0)) + type.substring(1);
    }

    static String cut(String text) {
        return text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) + "..." : text;
    }

    record Hello(
            int protocol,
            List<Long> rate,
            boolean controls,
            boolean rewinds,
            boolean worlds,
            int historySeconds,
            String title,
            String threadPolicy,
            String threadPolicyDetails)
            implements PageMessage {}

    record Waiting(String why) implements PageMessage {}

    record Ticks(List<?> rows) implements PageMessage {}

    record Machine(List<Object> pauses, List<Object> late) implements PageMessage {}

    record Contacts(List<?> list) implements PageMessage {}

    record State(
            boolean running,
            boolean paused,
            double scale,
            @Nullable String failure,
            boolean ended,
            String advice,
            long historyFrom,
            long historyTo,
            Map<String, Long> counts)
            implements PageMessage {}

    record HistoryEnd(long from, int count, int sent) implements PageMessage {}

    record Rewound(long from, long to) implements PageMessage {}

    record Worlds(
            String filter,
            int total,
            int matching,
            List<String> columns,
            List<?> rows,
            String shown,
            String opening,
            @Nullable String failure)
            implements PageMessage {}

    record Refused(String what, String why) implements PageMessage {}
}
