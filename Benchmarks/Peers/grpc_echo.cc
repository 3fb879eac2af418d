// Server and client of gRPC in C++ over a Unix socket. Each has one completion queue and one
// thread.
//
//   grpc_echo serve unix:PATH
//   grpc_echo ask unix:PATH
//
// `ask` reads lines `COUNT OUTSTANDING` and answers `P50_NS CALLS_PER_SECOND`, like zmq_ping.
#include <grpcpp/grpcpp.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "echo.grpc.pb.h"
#include "measure.h"

namespace {

// One call at the server. It waits for a request, answers it, and creates its successor.
class Served {
 public:
  Served(echo::Echo::AsyncService *service, grpc::ServerCompletionQueue *queue)
      : service_(service), queue_(queue), writer_(&context_) {
    service_->RequestAsk(&context_, &request_, &writer_, queue_, queue_, this);
  }

  void proceed(bool ok) {
    if (answered_ || !ok) {
      delete this;
      return;
    }
    new Served(service_, queue_);
    answered_ = true;
    writer_.Finish(request_, grpc::Status::OK, this);
  }

 private:
  echo::Echo::AsyncService *service_;
  grpc::ServerCompletionQueue *queue_;
  grpc::ServerContext context_;
  echo::Text request_;
  grpc::ServerAsyncResponseWriter<echo::Text> writer_;
  bool answered_ = false;
};

int serve(const std::string &address) {
  echo::Echo::AsyncService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  auto queue = builder.AddCompletionQueue();
  auto server = builder.BuildAndStart();
  if (!server) return 1;
  // Register as many calls as a client has in flight.
  for (int i = 0; i < 100; i++) new Served(&service, queue.get());
  void *tag;
  bool ok;
  while (queue->Next(&tag, &ok)) static_cast<Served *>(tag)->proceed(ok);
  return 0;
}

struct Asked {
  grpc::ClientContext context;
  echo::Text reply;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<echo::Text>> reader;
  uint64_t began;
};

int ask(const std::string &address) {
  auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  auto stub = echo::Echo::NewStub(channel);
  channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10));
  grpc::CompletionQueue queue;
  echo::Text request;
  request.set_attendee_id(std::string(36, 'a'));
  request.set_external_user_id(std::string(24, 'b'));
  auto send = [&] {
    auto *call = new Asked;
    call->began = now_ns();
    call->reader = stub->AsyncAsk(&call->context, request, &queue);
    call->reader->Finish(&call->reply, &call->status, call);
  };
  size_t count, outstanding;
  while (std::cin >> count >> outstanding) {
    std::vector<uint64_t> took;
    took.reserve(count);
    size_t sent = 0;
    uint64_t began = now_ns();
    for (; sent < outstanding && sent < count; sent++) send();
    void *tag;
    bool ok;
    while (took.size() < count && queue.Next(&tag, &ok)) {
      std::unique_ptr<Asked> call(static_cast<Asked *>(tag));
      if (!call->status.ok()) {
        std::cerr << call->status.error_message() << "\n";
        return 1;
      }
      took.push_back(now_ns() - call->began);
      if (sent < count) {
        send();
        sent++;
      }
    }
    double seconds = static_cast<double>(now_ns() - began) / 1e9;
    std::cout << percentile(took.data(), took.size(), 0.5) << " "
              << static_cast<uint64_t>(static_cast<double>(count) / seconds) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 3) return 2;
  return std::strcmp(arguments[1], "serve") == 0 ? serve(arguments[2]) : ask(arguments[2]);
}
