package io.postbox.inbox;

import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxRequest.Header;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request, within bounds: the sender of a message chooses how many it has, and how
 * long they are.
 *
 * @param all in the order in which they were added
 * @param size of all names and values, in characters and octets
 * @param leftOut how many there are beyond these
 */
record RequestHeaders(List<Header> all, int size, int leftOut) {
  static final RequestHeaders NONE = new RequestHeaders(List.of(), 0, 0);

  private static final int MOST = 100;
  private static final int MOST_TOGETHER = 32_000;
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_VALUE = 4_000;

  RequestHeaders with(String name, String value) {
    return hasRoomFor(name, value.length())
        ? and(new Header(name, Optional.of(value), Optional.empty()), value.length())
        : andOneLeftOut();
  }

  RequestHeaders with(String name, byte @Nullable [] value) {
    int length = value == null ? 0 : value.length;
    if (!hasRoomFor(name, length)) {
      return andOneLeftOut();
    }
    Optional<String> text = value == null ? Optional.empty() : text(value);
    Optional<byte[]> octets = text.isPresent() ? Optional.empty() : Optional.ofNullable(value);
    return and(new Header(name, text, octets), length);
  }

  /** The text of the last header with this name, in upper or lower case. */
  Optional<String> last(String name) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).name().equalsIgnoreCase(name)) {
        return all.get(i).text();
      }
    }
    return Optional.empty();
  }

  private boolean hasRoomFor(String name, int length) {
    return all.size() < MOST
        && !name.isEmpty()
        && name.length() <= LONGEST_NAME
        && Storable.is(name)
        && length <= LONGEST_VALUE
        && size + name.length() + length <= MOST_TOGETHER;
  }

  private RequestHeaders and(Header header, int length) {
    List<Header> more = new ArrayList<>(all);
    more.add(header);
    return new RequestHeaders(List.copyOf(more), size + header.name().length() + length, leftOut);
  }

  private RequestHeaders andOneLeftOut() {
    return new RequestHeaders(all, size, leftOut + 1);
  }

  /** The text that these octets are, if they are UTF-8 for people to read. */
  private static Optional<String> text(byte[] octets) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
      return Optional.of(text).filter(Storable::is);
    } catch (CharacterCodingException notText) {
      return Optional.empty();
    }
  }
}
