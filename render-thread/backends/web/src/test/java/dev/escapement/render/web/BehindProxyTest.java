package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.Logged;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Serves a page behind proxies, tunnels and mapped ports. */
@Timeout(60)
class BehindProxyTest {

    private static final String TOKEN = "0123456789abcdefghi-_Z";

    private final LivePageBuilder builder = LivePage.of(new TestWorld().driver.newReader());

    private static String get(ServedPage served, String path, String host) throws IOException {
        return served.exchange("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    /** nginx cuts the prefix off or not, and sends the page's host or the browser's, with its port or without. */
    @Test
    void shouldServeThePageBehindAPrefix() throws IOException {
        try (ServedPage served =
                new ServedPage(page -> page.token(TOKEN).hosts("localhost").prefix("/games/physics"))) {
            assertThat(served.path()).isEqualTo("/games/physics/" + TOKEN + "/");
            for (String path : List.of(served.path(), "/" + TOKEN + "/")) {
                for (String host : List.of(served.uri.getAuthority(), "localhost:9", "localhost")) {
                    assertThat(ServedPage.status(get(served, path + "page.css", host)))
                            .isEqualTo("200");
                }
                assertThat(get(served, path.replaceFirst("/$", "?x=1"), "localhost"))
                        .contains("HTTP/1.1 307", "Location: " + TOKEN + "/?x=1");
                assertThat(ServedPage.status(get(served, path.replace('Z', 'z'), "localhost")))
                        .isEqualTo("403");
            }
        }
    }

    @Test
    void shouldRefuseUnnamedHostsAndLogTheFirst() throws IOException {
        try (Logged logged = new Logged("render");
                ServedPage served = new ServedPage(page -> page.hosts("localhost:1", "physics.example.org"))) {
            get(served, "/" + TOKEN + "/", "localhost:9");
            assertThat(logged.records).as("without the token").isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThat(ServedPage.status(get(served, served.path(), "localhost:9")))
                        .isEqualTo("403");
            }
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("hosts(\"localhost:9\")");
        }
    }

    @Test
    void shouldLetNamedSitesHaveThePageInAFrame() throws IOException {
        try (ServedPage served = new ServedPage(page -> page.frameAncestors("https://tools.example.org"))) {
            assertThat(served.get(served.path())).contains("frame-ancestors https://tools.example.org\r\n");
        }
        for (String bad : List.of("tools.example.org", "https://a/b", "https://*.org", "https://a; img-src *")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.frameAncestors(bad))
                    .withMessageContaining("but is '" + bad + "'");
        }
    }

    @Test
    void shouldKnowTheHostsAndOriginsThatWereNamed() {
        PageAccess access = new PageAccess(
                Set.of(PageAccess.checkHost("Physics.example.org"), PageAccess.checkHost("[::1]:9000")),
                "",
                PageAccess.newSecret(),
                Set.of());
        for (String host : List.of("physics.example.org", "PHYSICS.example.org:8443", "[::1]:9000", "127.0.0.1:80")) {
            assertThat(access.allowsHost(host, "127.0.0.1", 80)).as(host).isTrue();
        }
        for (String host : List.of(
                "physics.example.org.evil.example",
                "physics.example.org:x",
                "physics.example.org:80:80",
                "a@physics.example.org",
                "[::1]",
                "[::1]:9001",
                "")) {
            assertThat(access.allowsHost(host, "127.0.0.1", 80)).as(host).isFalse();
        }
        for (String origin : List.of("https://physics.example.org:8443", "http://[::1]:9000", "http://own")) {
            assertThat(access.allowsOrigin(origin, "own")).as(origin).isTrue();
        }
        for (String origin : List.of(
                "null",
                "https://own",
                "ftp://physics.example.org",
                "https://physics.example.org/",
                "https://https://physics.example.org")) {
            assertThat(access.allowsOrigin(origin, "own")).as(origin).isFalse();
        }
    }

    @Test
    void shouldRefuseHostsPrefixesAndTokensThatCannotBe() {
        for (String host : List.of("*.example.org", "https://x", "x/y", "", "x:", "x\r\nSet-Cookie: y", "::1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.hosts("localhost", host))
                    .withMessageContaining("is '" + host + "'")
                    .withMessageContaining("a wildcard would");
        }
        for (String prefix : List.of("..", "/a/../b", "/./a", "a", "//", "/a?b", "/%2e%2e")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.prefix(prefix))
                    .withMessageContaining("'" + prefix + "'")
                    .withMessageContaining("such as /physics");
        }
        for (String token : List.of("a".repeat(21), "a".repeat(129), "a".repeat(30) + "/", "é".repeat(30))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.token(token))
                    .withMessageContaining("this one has " + token.length() + ", of which "
                            + token.replaceAll("[é/]", "").length());
        }
        builder.hosts().prefix("").prefix("/").prefix("/a.b/c~d/").token("-".repeat(128));
    }
}
