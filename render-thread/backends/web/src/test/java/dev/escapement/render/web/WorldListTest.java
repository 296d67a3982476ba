package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorldListTest extends SenderFixture {

    private final Map<String, Map<String, Number>> worlds = new LinkedHashMap<>();
    private final List<String> opened = new ArrayList<>();
    private Supplier<Map<String, Map<String, Number>>> source = () -> worlds;
    private Consumer<String> opener = opened::add;
    private int calls;
    private final WorldList list = new WorldList(
            () -> {
                calls++;
                return source.get();
            },
            name -> opener.accept(name),
            world.clock);

    private final FakeWire wire = new FakeWire();
    private final Client client = new Client(wire, world.clock);

    WorldListTest() {
        worlds.put("Arena 1", Map.of("% of a core", 75));
        worlds.put("lobby", new TreeMap<>(Map.of("% of a core", Double.NaN, "slack (ms)", 2L)));
        worlds.put("arena 2", Map.of("slack (ms)", -1));
    }

    private JsonObject list(String filter) {
        client.worldFilter = filter;
        list.round(List.of(client), "", "");
        return wire.take("worlds").get(0);
    }

    private void second() {
        world.clock.advance(TimeUnit.SECONDS.toNanos(1));
    }

    private static int rows(JsonObject list) {
        return list.getAsJsonArray("rows").size();
    }

    @Test
    void shouldListTheWorldsThatMatchAFilterInOrder() {
        JsonObject all = list("");
        assertThat(all.get("columns")).hasToString("[\"% of a core\",\"slack (ms)\"]");
        assertThat(all.get("rows"))
                .hasToString("[[\"Arena 1\",75.0,null],[\"lobby\",null,2.0],[\"arena 2\",null,-1.0]]");
        assertThat(all.get("failure").isJsonNull()).isTrue();
        JsonObject arenas = list("ARENA");
        assertThat(arenas.get("rows")).hasToString("[[\"Arena 1\",75.0,null],[\"arena 2\",null,-1.0]]");
        assertThat(arenas.get("total").getAsInt()).isEqualTo(3);
        assertThat(arenas.get("matching").getAsInt()).isEqualTo(2);
        assertThat(rows(list("none"))).isZero();
    }

    @Test
    void shouldAskOnceASecondIfAPageAsks() {
        list.round(List.of(client), "", "");
        assertThat(calls).as("nobody has asked").isZero();
        for (int round = 0; round < 500; round++) {
            world.clock.advance(10_000_000);
            list("");
        }
        assertThat(calls).isEqualTo(5);
    }

    @Test
    void shouldBoundRowsColumnsAndNames() {
        String longName = "x".repeat(WorldList.MAX_NAME) + "yz";
        Map<String, Number> many = new LinkedHashMap<>();
        IntStream.range(0, 50).forEach(i -> many.put(i + "c".repeat(1000), i));
        worlds.put(longName, many);
        IntStream.range(0, 10_000).forEach(i -> worlds.put("world " + i, Map.of()));
        assertThat(rows(list(""))).isEqualTo(WorldList.MAX_ROWS);
        JsonObject one = list("xxx");
        assertThat(one.getAsJsonArray("columns")).hasSize(WorldList.MAX_COLUMNS);
        assertThat(one.getAsJsonArray("columns").get(7).getAsString()).hasSize(WorldList.MAX_NAME);
        String name = one.getAsJsonArray("rows").get(0).getAsJsonArray().get(0).getAsString();
        assertThat(name).hasSize(WorldList.MAX_NAME);
        assertThat(list.open(name)).isNull();
        assertThat(opened).containsExactly(longName);
    }

    @Test
    void shouldRefuseNamesThatAreNotInTheList() {
        assertThat(list.open("LOBBY")).contains("there is no world 'LOBBY'");
        worlds.remove("lobby");
        second();
        assertThat(list.open("lobby")).contains("there is no world 'lobby': it has ended");
        assertThat(opened).isEmpty();
    }

    @Test
    void shouldSayWhyWorldsCannotBeListedAndTryAgain() {
        source = () -> {
            throw new IllegalStateException("closed");
        };
        assertThat(list("").get("failure").getAsString()).endsWith("cannot list its worlds: closed");
        Map<String, Map<String, Number>> half = new LinkedHashMap<>(worlds);
        half.put("half", null);
        source = () -> half;
        second();
        assertThat(list("").get("failure").getAsString()).contains("cannot be read");
        source = () -> worlds;
        second();
        assertThat(rows(list(""))).isEqualTo(3);
    }

    /** A page may list and open worlds before it has seen the current one. */
    @Test
    void shouldTellWhichWorldWaitsForItsTicks() {
        TestWorld lobby = new TestWorld("lobby", 64);
        opener = name -> sender.show(lobby.driver.newReader(), lobby.driver);
        sender = sender(world.driver, list);
        Connected page = connect();
        page.says("{\"type\":\"open\",\"world\":\"lobby\"}");
        page.says("{\"type\":\"worlds\",\"filter\":\"\"}");
        tickAndRound();
        assertThat(page.wire().take("worlds").toString()).contains("\"shown\":\"\",\"opening\":\"lobby\"");
        lobby.ticks(3);
        page.says("{\"type\":\"worlds\",\"filter\":\"\"}");
        sender.round();
        assertThat(page.wire().take("worlds").toString()).contains("\"shown\":\"lobby\",\"opening\":\"\"");
        assertThat(page.client().knowsWorld).isFalse();
        page.says("{\"type\":\"open\",\"world\":\"arena 2\"}");
        sender.round();
        assertThat(page.wire().take("refused")).isEmpty();
    }

    @Test
    void shouldRefuseListsOnAPageOfOneWorld() {
        Connected page = start();
        assertThat(page.wire().take("hello").toString()).contains("\"worlds\":false");
        page.says("{\"type\":\"worlds\",\"filter\":\"\"}");
        sender.round();
        assertThat(page.refusal("worlds")).contains("this page shows one world");
        page.says("{\"type\":\"open\",\"world\":\"lobby\"}");
        sender.round();
        assertThat(page.refusal("open")).contains("this page shows one world");
    }

    @Test
    void shouldReportWhyAWorldCannotBeShown() {
        sender = sender(world.driver, list);
        Connected page = start();
        opener = name -> {
            throw new StackOverflowError();
        };
        page.says("{\"type\":\"open\",\"world\":\"lobby\"}");
        sender.round();
        assertThat(page.refusal("open"))
                .startsWith("world 'lobby' cannot be shown: ")
                .contains("StackOverflowError");
        opener = name -> {}; // a program that no longer has the world does nothing
        page.says("{\"type\":\"open\",\"world\":\"lobby\"}");
        tickAndRound();
        assertThat(page.refusal("open")).contains("nothing was shown for world 'lobby'");
        assertThat(page.wire().seen.tick).isEqualTo(world.ticks);
    }
}
