package dev.escapement.render.web;

import com.google.gson.Gson;

/** Text as JSON. Any thread. */
final class Json {

    private static final Gson GSON = new Gson();
    private static final int MOST = 2000;

    private Json() {}

    /** Text in quotes, with all that is special to JSON or HTML escaped; a text without end is cut. */
    static String text(String text) {
        return GSON.toJson(text.length() > MOST ? text.substring(0, MOST) + "..." : text);
    }

    static String refused(String what, String why) {
        return "{\"type\":\"refused\",\"what\":" + text(what) + ",\"why\":" + text(why) + "}";
    }
}
